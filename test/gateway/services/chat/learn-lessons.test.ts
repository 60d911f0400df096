import { afterEach, describe, expect, it } from "vitest";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import { startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { reply, replyEvents, type WireAct } from "../../../support/wire-provider.ts";

type Body = Record<string, unknown>;

const wire = useWire();
const list = (): void => void wire.on("GET /v1/models", reply(200, { object: "list", data: [{ id: "m" }] }));
const environment = (): Record<string, string> => ({
  POSTERN_COMPATIBLE_BASE_URL: `${wire.origin}/v1`,
  POSTERN_COMPATIBLE_API_KEY: "k",
});
const postern = useGateway(() => {
  list();
  return { env: environment() };
});

/** A server with these rules; a rule says what it refuses, in its own words, or undefined. */
type Rule = (body: Body) => object | string | undefined;
const GOOD = { choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }] };
const CHUNK = { choices: [{ index: 0, delta: { content: "Hello" }, finish_reason: "stop" }] };
function serve(...rules: readonly Rule[]): void {
  const act: WireAct = (seen, outgoing) => {
    const body = seen.json as Body;
    for (const rule of rules) {
      const said = rule(body);
      if (said === undefined) continue;
      return reply(400, typeof said === "string" ? { error: { message: said } } : said)(seen, outgoing);
    }
    if (body["stream"] !== true) return reply(200, GOOD)(seen, outgoing);
    return replyEvents(`data: ${JSON.stringify(CHUNK)}\n\n`, "data: [DONE]\n\n")(seen, outgoing);
  };
  wire.on("POST /v1/chat/completions", act);
}
const refuses = (field: string, say: (field: string) => object | string): Rule => {
  return (body) => (field in body ? say(field) : undefined);
};
const inMessages = (field: string, say: string): Rule => {
  return ({ messages }) => ((messages as Body[]).some((message) => field in message) ? say : undefined);
};

const connection = async (of: TestGateway = postern): Promise<ConnectionView> =>
  (await of.ask<{ data: ConnectionView[] }>("GET", "/connections")).data[0] as ConnectionView;
const lessons = async (): Promise<string[]> => (await connection()).learned.map(({ lesson }) => lesson);
const sent = (): Body[] => wire.seen.map(({ json }) => json as Body);

const TOOLS = [{ type: "function", name: "f", parameters: { type: "object", properties: {} } }];
const codex = (fields: Body = {}): Promise<Response> =>
  postern.post("/responses", { model: "m", input: "x", tools: TOOLS, prompt_cache_key: "k", ...fields });
const claude = (fields: Body = {}): Promise<Response> =>
  postern.post("/messages", { model: "m", max_tokens: 50, messages: [{ role: "user", content: "x" }], ...fields });

afterEach(async () => {
  wire.reset();
  list();
  await postern.ask("POST", `/connections/${(await connection()).id}/forget-learned`);
});

describe("a field that Postern put in and a server refuses", () => {
  it.each<[string, Rule, string]>([
    ["in OpenAI's words", refuses("prompt_cache_key", (f) => `Unknown parameter: '${f}'.`), "without prompt_cache_key"],
    [
      "by param",
      refuses("prompt_cache_key", (f) => ({ error: { message: "Unsupported value", param: f } })),
      "without prompt_cache_key",
    ],
    [
      "in NVIDIA's words",
      refuses("prompt_cache_key", (f) => `Validation: Unsupported parameter(s): \`${f}\``),
      "without prompt_cache_key",
    ],
    [
      "in Google's words",
      refuses("prompt_cache_key", (f) => `Invalid JSON payload received. Unknown name "${f}": Cannot find field.`),
      "without prompt_cache_key",
    ],
    [
      "in FastAPI's words",
      refuses("prompt_cache_key", (f) => ({
        detail: [{ type: "extra_forbidden", loc: ["body", f], msg: "Extra inputs are not permitted" }],
      })),
      "without prompt_cache_key",
    ],
  ])("is left out, %s", async (_how, rule, lesson) => {
    serve(rule);
    const response = await codex();
    expect([response.status, wire.seen.length]).toEqual([200, 2]);
    expect(sent()[1]).not.toHaveProperty("prompt_cache_key");
    expect(await postern.receipt()).toMatchObject({ outcome: "completed", attempts: 2 });
    expect(await lessons()).toEqual([lesson]);
    expect((await codex()).status).toBe(200);
    expect(wire.seen).toHaveLength(3);
  });

  it("is left out of a stream too, and a provider that refuses is not unwell", async () => {
    serve(refuses("stream_options", (field) => `Unrecognized request argument supplied: ${field}`));
    const response = await claude({ stream: true });
    expect(await response.text()).toContain("Hello");
    expect(wire.seen).toHaveLength(2);
    expect((await connection()).credentials[0]?.state).toBe("ready");
  });

  it.each<[string, Rule, Body, (body: Body | undefined) => unknown, unknown]>([
    [
      "the bound's other name",
      refuses(
        "max_tokens",
        () =>
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
      {},
      (body) => [body?.["max_tokens"], body?.["max_completion_tokens"]],
      [undefined, 50],
    ],
    [
      "no thinking of earlier turns",
      inMessages("reasoning_content", "property 'messages.1.reasoning_content' is unsupported"),
      {
        messages: [
          { role: "user", content: "x" },
          {
            role: "assistant",
            content: [
              { type: "thinking", thinking: "hm", signature: "" },
              { type: "text", text: "A" },
            ],
          },
          { role: "user", content: "y" },
        ],
      },
      (body) => (body?.["messages"] as Body[] | undefined)?.[1],
      { role: "assistant", content: "A" },
    ],
    [
      "a tool by a word",
      (body) =>
        typeof body["tool_choice"] === "object"
          ? "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"
          : undefined,
      { tools: [{ name: "f", input_schema: { type: "object" } }], tool_choice: { type: "tool", name: "f" } },
      (body) => body?.["tool_choice"],
      "required",
    ],
    [
      "no forced tool",
      (body) => (body["tool_choice"] === "required" ? "Thinking mode does not support this tool_choice" : undefined),
      { tools: [{ name: "f", input_schema: { type: "object" } }], tool_choice: { type: "any" } },
      (body) => body?.["tool_choice"],
      "auto",
    ],
    [
      "a schema in words",
      (body) =>
        (body["response_format"] as Body | undefined)?.["type"] === "json_schema"
          ? "This response_format type is unavailable now"
          : undefined,
      { output_config: { format: { type: "json_schema", schema: { type: "object", title: "Answer" } } } },
      (body) => body?.["response_format"],
      { type: "json_object" },
    ],
  ])("goes in the other form: %s", async (_what, rule, fields, read, expected) => {
    serve(rule);
    expect((await claude(fields)).status).toBe(200);
    expect(wire.seen).toHaveLength(2);
    expect(read(sent()[1])).toEqual(expected);
  });

  it("is no reason for a third time: a server that refuses one field after another is believed", async () => {
    serve(
      refuses("prompt_cache_key", (field) => `Unknown parameter: '${field}'.`),
      refuses("parallel_tool_calls", (field) => `Unknown parameter: '${field}'.`),
      refuses("temperature", (field) => `Unknown parameter: '${field}'.`),
    );
    const response = await codex({ parallel_tool_calls: true, temperature: 0.5 });
    expect([response.status, wire.seen.length]).toEqual([400, 3]);
    expect(await response.text()).toContain("temperature");
    // What was learned is not lost.
    expect((await codex({ parallel_tool_calls: true, temperature: 0.5 })).status).toBe(200);
    expect(wire.seen).toHaveLength(5);
  });

  it.each<[string, number, object]>([
    ["that names no field of the request", 400, { error: { message: "Invalid value: the prompt is too long." } }],
    ["that is no refusal of a field", 400, { error: { message: "Your prompt_cache_key pleases me." } }],
    ["of the provider itself", 500, { error: { message: "Unknown parameter: 'prompt_cache_key'." } }],
  ])("is not read out of an error %s", async (_which, status, body) => {
    wire.on("POST /v1/chat/completions", reply(status, body));
    expect((await codex()).status).toBe(status === 500 ? 502 : status);
    expect(await lessons()).toEqual([]);
    for (const one of sent()) expect(one["prompt_cache_key"]).toBe("k");
  });
});

describe("what was learned", () => {
  it("is of a field that the client wrote in the server's own dialect never: the server's error is the answer", async () => {
    serve(refuses("verbosity", (field) => `Unknown parameter: '${field}'.`));
    const response = await postern.chat({ model: "m", verbosity: "low", messages: [{ role: "user", content: "x" }] });
    expect([response.status, wire.seen.length]).toEqual([400, 1]);
    expect(await lessons()).toEqual([]);
  });

  it("is of the request for usage, which a chat client does not know of", async () => {
    serve(refuses("stream_options", (field) => `Unknown parameter: '${field}'.`));
    const messages = [{ role: "user", content: "x" }];
    const response = await postern.chat({ model: "m", stream: true, messages });
    expect(await response.text()).toContain("Hello");
    const own = await postern.chat({ model: "m", stream: true, stream_options: { include_usage: true }, messages });
    expect(own.status).toBe(200);
  });

  it("is forgotten when its owner says so", async () => {
    serve(refuses("prompt_cache_key", (field) => `Unknown parameter: '${field}'.`));
    await codex();
    const { id } = await connection();
    expect((await postern.ask<ConnectionView>("POST", `/connections/${id}/forget-learned`)).learned).toEqual([]);
    await codex();
    expect(wire.seen).toHaveLength(4);
  });

  it("is tried again after a week", async () => {
    const clock = new TestClock();
    const own = await startGateway({ clock, env: environment() });
    const body = { model: "m", input: "x", prompt_cache_key: "k" };
    serve(refuses("prompt_cache_key", (field) => `Unknown parameter: '${field}'.`));
    await own.post("/responses", body);
    clock.advance(6 * 24 * 60 * 60_000);
    await own.post("/responses", body);
    expect(wire.seen).toHaveLength(3);
    clock.advance(2 * 24 * 60 * 60_000);
    await own.post("/responses", body);
    expect(wire.seen).toHaveLength(5);
    await own.close();
  });

  it("is known at the next start, and is nothing for another address", async () => {
    const first = await startGateway({ env: environment() });
    serve(refuses("prompt_cache_key", (field) => `Unknown parameter: '${field}'.`));
    const body = { model: "m", input: "x", prompt_cache_key: "k" };
    await first.post("/responses", body);
    await first.stop();
    const second = await startGateway({ env: environment(), dataDir: first.dataDir });
    await second.post("/responses", body);
    expect(wire.seen).toHaveLength(3);
    await second.stop();
    const elsewhere = {
      ...environment(),
      POSTERN_COMPATIBLE_BASE_URL: `${wire.origin.replace("127.0.0.1", "localhost")}/v1`,
    };
    const third = await startGateway({ env: elsewhere, dataDir: first.dataDir });
    await third.post("/responses", body);
    expect(wire.seen).toHaveLength(5);
    await third.close();
  });
});
