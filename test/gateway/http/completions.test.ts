import { describe, expect, it } from "vitest";
import { completions } from "../../../gateway/providers/openai-compatible/completions.ts";
import type { DialectCall } from "../../../gateway/providers/wire-request.ts";
import { completion, respond, stream, streamFrames } from "../../support/acts.ts";
import { KEY, providersAt } from "../../support/running-gateway.ts";
import { useGateway, useProvider, useWire } from "../../support/use-gateway.ts";
import { reply, replyBytes } from "../../support/wire-provider.ts";

const wire = useWire();
const provider = useProvider();
const LIMITED = "sk-test-limited-key-0002";
const postern = useGateway(() => ({
  provider,
  env: providersAt({ ANTHROPIC: wire.origin, COMPATIBLE: `${wire.origin}/own/v1` }),
  keys: [{ key: LIMITED, name: "limited", limit_usd: 0.01 }],
}));

const OWN = "POST /own/v1/completions";
/** A model of a server that has the endpoint. */
const NATIVE = "qwen2.5-coder-7b";
const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const TEXT = { id: "cmpl-1", object: "text_completion", created: 1, model: NATIVE };
const MODEL = "gpt-4.1";

const post = (body: string | object, key = KEY) =>
  fetch(`${postern.url}/v1/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe("a server that has completions", () => {
  it("gets the client's bytes, tokens and suffix too, and is billed by its usage", async () => {
    wire.on("GET /own/v1/models", reply(200, { data: [{ id: NATIVE }] }));
    const connections = await postern.ask<{ data: { id: string; provider: string }[] }>("GET", "/connections");
    const own = connections.data.find(({ provider: name }) => name === "openai-compatible");
    await postern.ask("POST", `/connections/${own?.id ?? ""}/test`);
    const answer = `{ "id":"cmpl-1", "choices":[{"index":0,"text":"x","finish_reason":"stop"}], "usage":${JSON.stringify(USAGE)} }`;
    wire.on(OWN, replyBytes("application/json", answer));
    const body = `{ "model":"${NATIVE}", "prompt":[[1,2,3]], "suffix":"}", "echo":true, "logprobs":1, "max_tokens":0 }`;
    const response = await post(body);
    expect([response.status, await response.text()]).toEqual([200, answer]);
    expect(wire.seen.at(-1)?.body.toString()).toBe(body);
    const { endpoint, model, terms } = await postern.receipt();
    expect([endpoint, model]).toEqual(["completions", NATIVE]);
    expect(Object.fromEntries(terms.map(({ unit, quantity }) => [unit, quantity]))).toEqual({ input: 3, output: 2 });
  });

  it("streams its chunks, without the usage that its client did not ask for", async () => {
    const chunks = [
      { ...TEXT, choices: [{ index: 0, text: "Hel", finish_reason: null }] },
      { ...TEXT, choices: [{ index: 0, text: "lo", finish_reason: "stop" }] },
    ];
    const frames = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
    const usage = `data: ${JSON.stringify({ ...TEXT, choices: [], usage: USAGE })}\n\n`;
    wire.on(OWN, replyBytes("text/event-stream", `${frames}${usage}data: [DONE]\n\n`));
    const response = await post({ model: NATIVE, prompt: "Say", stream: true });
    expect(await response.text()).toBe(`${frames}data: [DONE]\n\n`);
    expect(wire.seen.at(-1)?.json).toMatchObject({ stream_options: { include_usage: true } });
    expect(await postern.receipt()).toMatchObject({ endpoint: "completions", stream: true, estimated: false });
  });

  it("is counted here where it reports no usage", async () => {
    wire.on(OWN, reply(200, { ...TEXT, choices: [{ index: 0, text: "Hello there, world", finish_reason: "stop" }] }));
    await post({ model: NATIVE, prompt: "Say hello" });
    const { terms } = await postern.receipt();
    for (const { quantity } of terms) expect(quantity).toBeGreaterThan(1);
  });

  it.each([
    [{ prompt: "a" }, 1],
    [{ prompt: [1, 2], n: 2 }, 2],
    [{ prompt: ["a", "b"], n: 2, best_of: 3 }, 6],
    [{ prompt: [[1], [2]] }, 2],
  ])("is held for every choice of %o", (body, choices) => {
    expect(completions.allows({ body: { ...body, max_tokens: 7 }, bound: null } as unknown as DialectCall)).toEqual({
      perChoice: 7,
      choices,
      least: 7,
    });
  });

  it("has its refusal passed on where the endpoint is missing", async () => {
    wire.on(OWN, reply(404, { error: { message: "Not Found" } }));
    expect((await post({ model: NATIVE, prompt: "Say" })).status).toBe(404);
  });
});

describe("another model", () => {
  it("is asked by chat, by OpenAI's SDK", async () => {
    provider.usual = completion("Hello");
    const whole = await postern.sdk().completions.create({ model: MODEL, prompt: ["Say hello."], max_tokens: 9 });
    expect(whole).toMatchObject({
      id: expect.stringMatching(/^cmpl-/) as string,
      object: "text_completion",
      model: MODEL,
      choices: [{ index: 0, text: "Hello", finish_reason: "stop", logprobs: null }],
      usage: { prompt_tokens: 10 },
    });
    expect(provider.lastBody).toEqual({
      model: MODEL,
      max_tokens: 9,
      messages: [{ role: "user", content: "Say hello." }],
    });
    expect(await postern.receipt()).toMatchObject({ endpoint: "completions", model: MODEL });
  });

  it.each([true, false])("streams text, with its usage last: %s", async (isAsked) => {
    provider.usual = stream(streamFrames(["Hel", "lo"]));
    const options = isAsked ? { stream_options: { include_usage: true } } : {};
    const request = { model: MODEL, prompt: "Say hello.", stream: true, ...options } as const;
    const chunks = [];
    for await (const chunk of await postern.sdk().completions.create(request)) chunks.push(chunk);
    const said = chunks.filter(({ choices }) => choices.length > 0);
    expect(said.map(({ choices }) => choices[0]?.text).join("")).toBe("Hello");
    expect(said.at(-1)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.length - said.length).toBe(isAsked ? 1 : 0);
    expect(chunks.at(-1)?.usage?.prompt_tokens).toBe(isAsked ? 10 : undefined);
  });

  it("of Anthropic's is asked in Messages", async () => {
    const message = { type: "message", content: [{ type: "text", text: "Hello" }], stop_reason: "max_tokens" };
    wire.on("POST /v1/messages", reply(200, { ...message, usage: { input_tokens: 3, output_tokens: 4 } }));
    const response = await post({ model: "claude-sonnet-4-6", prompt: "Say hello.", max_tokens: 0 });
    expect(await response.json()).toMatchObject({ choices: [{ text: "Hello", finish_reason: "length" }] });
    expect(wire.seen.at(-1)?.json).toMatchObject({ max_tokens: 1 });
  });

  it.each<[string, object]>([
    ["prompt", { prompt: ["a", "b"] }],
    ["prompt", { prompt: [1, 2] }],
    ["suffix", { suffix: "b" }],
    ["echo", { echo: true }],
    ["logprobs", { logprobs: 1 }],
    ["best_of", { best_of: 2 }],
    ["max_tokens", { max_tokens: -1 }],
    ["prompt", { prompt: null }],
  ])("refuses what chat has not: %s", async (param, more) => {
    const response = await post({ model: MODEL, prompt: "a", ...more });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { param } }]);
  });

  it("keeps to the limit of its key", async () => {
    provider.usual = completion();
    expect((await post({ model: MODEL, prompt: "a" }, LIMITED)).status).toBe(200);
    expect((provider.lastBody as { max_completion_tokens: number }).max_completion_tokens).toBeLessThan(5_000);
    const long = await post({ model: MODEL, prompt: "word ".repeat(50_000) }, LIMITED);
    expect(long.status).toBe(402);
  });

  it("is replayed from its recording", async () => {
    await postern.ask("PATCH", "/settings", { record_bodies: true });
    provider.usual = completion("Hello");
    await (await post({ model: MODEL, prompt: "Say" })).text();
    const { id } = await postern.receipt();
    const again = await postern.ask<{ status: number; response: string }>("POST", `/requests/${id}/resend`, {});
    expect([again.status, again.response]).toEqual([200, expect.stringContaining('"text":"Hello"')]);
    await postern.ask("PATCH", "/settings", { record_bodies: false });
  });

  it("along a route takes over from a server without the endpoint", async () => {
    await postern.ask("POST", "/routes", { name: "either", models: [NATIVE, MODEL] });
    wire.on(OWN, reply(503, { error: { message: "Busy" } }));
    provider.usual = respond(
      200,
      JSON.stringify({ choices: [{ index: 0, message: { content: "Hi" }, finish_reason: "stop" }] }),
    );
    const response = await post({ model: "either", prompt: "Say" });
    expect(await response.json()).toMatchObject({ model: MODEL, choices: [{ text: "Hi" }] });
  });
});
