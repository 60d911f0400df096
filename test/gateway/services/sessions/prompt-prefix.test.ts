import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listMissReasons } from "../../../../gateway/contract/prefix-reasons.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { claudeMessage } from "../../../support/acts.ts";
import { KEY } from "../../../support/running-gateway.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";

const LONG = "The quick brown fox jumps over the lazy dog. ".repeat(400);
const turns = (...texts: readonly string[]) =>
  texts.map((content, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content }));
const parts = (...texts: readonly string[]) =>
  texts.map((text, index) => ({ role: index % 2 === 0 ? "user" : "model", parts: [{ text }] }));

/** The same conversation in each dialect. */
const DIALECTS: Readonly<
  Record<string, (instructions: string, ...texts: readonly string[]) => [path: string, body: object]>
> = {
  chat: (content, ...texts) => [
    "/v1/chat/completions",
    { model: "gpt-5.5", messages: [{ role: "system", content }, ...turns(...texts)] },
  ],
  messages: (system, ...texts) => [
    "/v1/messages",
    {
      model: "claude-opus-4-8",
      max_tokens: 100,
      cache_control: { type: "ephemeral" },
      system: [{ type: "text", text: system, cache_control: { type: "ephemeral" } }],
      messages: turns(...texts),
    },
  ],
  "messages, translated": (system, ...texts) => [
    "/v1/messages",
    { model: "gpt-5.5", max_tokens: 100, system, messages: turns(...texts) },
  ],
  responses: (instructions, ...texts) => [
    "/v1/responses",
    { model: "gpt-5.4-mini", store: false, instructions, input: turns(...texts) },
  ],
  gemini: (text, ...texts) => [
    "/v1beta/models/gemini-3.5-flash-lite:generateContent",
    { systemInstruction: { parts: [{ text }] }, contents: parts(...texts) },
  ],
};

describe("a session in the sandbox", () => {
  const postern = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));

  async function send(session: string, [path, body]: [string, object]): Promise<Receipt> {
    const response = await fetch(`${postern.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json", "x-postern-session": session },
      body: JSON.stringify(body),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
    return postern.receipt();
  }

  it.each(Object.entries(DIALECTS))("says what %s repeats of the request before", async (name, write) => {
    const session = `of ${name}`;
    const first = await send(session, write("Be brief.", LONG));
    expect(first.prefix).toBeUndefined();
    const second = await send(session, write("Be brief.", LONG, "yes", "b"));
    expect(second.prefix).toMatchObject({ after: first.id, changed: [], of: 1, kept: 1 });
    const third = await send(session, write("Be long.", `${LONG}!`, "yes", "b", "no", "c"));
    expect(third.prefix).toMatchObject({ after: second.id, changed: ["system"], of: 3, kept: 0, message: "changed" });
    expect(third.prefix && listMissReasons(third.prefix)).toEqual(["system", "changed"]);
  });

  it("says nothing of requests without a session, and of other agents", async () => {
    const path = "/v1/chat/completions";
    const body = { model: "gpt-5.5", messages: turns(LONG) };
    await (await postern.post(path.slice(3), body, KEY)).text();
    await (await postern.post(path.slice(3), body, KEY)).text();
    expect((await postern.receipt()).prefix).toBeUndefined();
    await send("agents", [path, body]);
    await (
      await postern.post(path.slice(3), body, KEY, { "x-postern-session": "agents", "x-postern-agent": "a" })
    ).text();
    expect((await postern.receipt()).prefix).toBeUndefined();
  });
});

describe("a session at Anthropic", () => {
  const provider = useWire();
  const postern = useGateway();
  beforeAll(async () => {
    const keys = ["sk-ant-one"];
    await postern.ask("POST", "/connections", {
      provider: "anthropic",
      name: "Claude",
      base_url: provider.origin,
      keys,
    });
  });
  beforeEach(() => provider.reset());

  const usage = (input: number, read: number, written: number) => ({
    input_tokens: input,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: 5,
  });

  async function send(session: string, body: object, counts: object): Promise<Receipt> {
    provider.on("POST /v1/messages", reply(200, claudeMessage("Yes.", counts, { model: "claude-sonnet-5" })));
    const whole = { model: "claude-sonnet-5", max_tokens: 100, ...body };
    const response = await postern.post("/messages", whole, KEY, { "x-claude-code-session-id": session });
    expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
    return postern.receipt();
  }
  const marked = (text: string) => [{ type: "text", text, cache_control: { type: "ephemeral" } }];

  it("says what was read again, why, and what that cost by the prices of the receipt", async () => {
    const body = { system: marked("a"), tools: [{ name: "read", input_schema: {} }], messages: turns("a") };
    await send("s", body, usage(10, 0, 20_000));
    const next = { ...body, messages: turns("a", "b", "c") };
    const hit = await send("s", next, usage(10, 20_000, 500));
    expect(hit.prefix).toMatchObject({ marks: "5m", missed: 0, missed_nano: 0 });
    const { terms, prefix } = await send(
      "s",
      { ...next, tools: [{ name: "write", input_schema: {} }] },
      usage(10, 0, 20_500),
    );
    const write = terms.find(({ unit }) => unit === "cache_write")?.nano_per_million ?? 0;
    const read = hit.terms.find(({ unit }) => unit === "cached_input")?.nano_per_million ?? 0;
    expect(prefix).toMatchObject({ changed: ["tools"], kept: 3, of: 3, missed: 20_510 });
    // Ten of them were not even written.
    const unwritten = terms.find(({ unit }) => unit === "input")?.nano_per_million ?? 0;
    const cost = 20_500 * (write - read) + 10 * (unwritten - read);
    expect(prefix?.missed_nano).toBe(Math.round(cost / 1_000_000));
    expect(write).toBeGreaterThan(read);
  });

  it("says that marks are missing", async () => {
    await send("unmarked", { messages: turns("a") }, usage(20_000, 0, 0));
    const unmarked = await send("unmarked", { messages: turns("a", "b", "c") }, usage(20_100, 0, 0));
    expect(unmarked.prefix && listMissReasons(unmarked.prefix)).toEqual(["unmarked"]);
    expect(unmarked.prefix?.missed_nano).toBeGreaterThan(0);
  });

  it("keeps no text and no checksum of one in the receipt", async () => {
    await send("private", { messages: turns("the secret word") }, usage(20_000, 0, 0));
    const { prefix } = await send("private", { messages: turns("the secret word", "b", "c") }, usage(20_100, 0, 0));
    expect(Object.keys(prefix ?? {}).toSorted()).toEqual(
      ["after", "changed", "idle_ms", "kept", "marks", "missed", "missed_nano", "of"].toSorted(),
    );
  });
});
