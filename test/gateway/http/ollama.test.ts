import { Ollama } from "ollama";
import type { ChatResponse, GenerateResponse, Tool } from "ollama";
import { describe, expect, it } from "vitest";
import { completion, completionBody, respond, stream, streamFrames } from "../../support/acts.ts";
import { KEY, providersAt } from "../../support/running-gateway.ts";
import { useGateway, useProvider, useWire } from "../../support/use-gateway.ts";
import { reply, replyBytes } from "../../support/wire-provider.ts";

const wire = useWire();
const provider = useProvider();
const logged: string[] = [];
const NARROW = "sk-test-narrow-key-00004";
const PENNILESS = "sk-test-penniless-key-003";
const postern = useGateway(() => ({
  provider,
  logged,
  env: {
    ...providersAt({ ANTHROPIC: wire.origin, GEMINI: wire.origin, COMPATIBLE: `${wire.origin}/own/v1` }),
    POSTERN_ALLOWED_ORIGINS: "https://app.test",
  },
  keys: [
    { key: NARROW, name: "narrow", models: ["gpt-4.1"] },
    { key: PENNILESS, name: "penniless", limit_usd: 0.000_000_1 },
  ],
}));

const MODEL = "gpt-4.1";
const messages = [{ role: "user", content: "Hi" }];
const PNG = "iVBORw0KGgoAAAANSUhEUg==";

/** Ollama's own client, with the key in the path unless another header is given. */
const client = (key = KEY): Ollama => new Ollama({ host: `${postern.url}/${key}` });

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = bearer) =>
  fetch(`${postern.url}${path}`, {
    method: "POST",
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const bearer = { authorization: `Bearer ${KEY}` };

async function gather<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

const weather: Tool = {
  type: "function",
  function: { name: "get_weather", description: "", parameters: { type: "object", properties: {} } },
};

const callOf = (name: string, args: string, id = "call_9") => ({
  ...completionBody(),
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: null,
        tool_calls: [{ id, type: "function", function: { name, arguments: args } }],
      },
      finish_reason: "tool_calls",
    },
  ],
});

describe("a conversation of Ollama's client", () => {
  it("streams by default, and ends with the reason, the tokens and the durations", async () => {
    provider.usual = stream(streamFrames(["Hel", "lo"]));
    const parts = await gather(await client().chat({ model: MODEL, messages, stream: true }));
    expect(parts.map(({ message }) => message.content).join("")).toBe("Hello");
    const last = parts.at(-1) as ChatResponse;
    expect(last).toMatchObject({ model: MODEL, done: true, done_reason: "stop", prompt_eval_count: 10 });
    for (const figure of [last.total_duration, last.eval_duration]) expect(figure).toBeGreaterThan(0);
    const raw = await post("/api/chat", { model: MODEL, messages });
    expect(raw.headers.get("content-type")).toBe("application/x-ndjson");
    const lines = (await raw.text()).trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as ChatResponse).done)).toEqual([false, false, true]);
    expect(await postern.receipt()).toMatchObject({ endpoint: "chat", model: MODEL, stream: true, client: "node" });
  });

  it("comes whole where it wants no stream, with its options in the provider's words", async () => {
    provider.usual = completion();
    const options = { temperature: 0.5, top_p: 1, num_predict: 50, stop: ["END"], seed: 7, num_ctx: 8_192, top_k: 3 };
    const response = await client().chat({ model: MODEL, messages, keep_alive: "5m", options });
    expect(response).toMatchObject({
      model: MODEL,
      message: { role: "assistant", content: "Hello from the provider." },
      done: true,
      done_reason: "stop",
      prompt_eval_count: 10,
      eval_count: 5,
    });
    expect(provider.lastBody).toEqual({
      model: MODEL,
      messages,
      max_tokens: 50,
      temperature: 0.5,
      stop: ["END"],
      seed: 7,
    });
    expect(await postern.receipt()).toMatchObject({ client: "ollama-js", stream: false });
  });

  it("calls tools, and takes their results by name, by id or in order", async () => {
    provider.usual = respond(200, JSON.stringify(callOf("get_weather", '{"city":"Oslo"}')));
    const { message } = await client().chat({ model: MODEL, messages, tools: [weather] });
    expect(message.tool_calls).toEqual([
      { id: "call_9", function: { index: 0, name: "get_weather", arguments: { city: "Oslo" } } },
    ]);
    provider.usual = completion();
    const results = [{ tool_name: "get_weather" }, { tool_call_id: "call_9" }, {}];
    for (const named of results) {
      const result = { role: "tool", content: "Rain", ...named };
      await client().chat({ model: MODEL, messages: [...messages, message, result], tools: [weather] });
      expect(provider.lastBody).toMatchObject({
        tools: [{ type: "function", function: { name: "get_weather" } }],
        messages: [
          messages[0],
          { role: "assistant", tool_calls: [{ id: "call_9", function: { arguments: '{"city":"Oslo"}' } }] },
          { role: "tool", tool_call_id: "call_9", content: "Rain" },
        ],
      });
    }
  });

  it("streams each call whole", async () => {
    const delta = (call: object) => ({
      ...completionBody(),
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: null }],
    });
    const end = { ...delta({}), choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] };
    const chunks = [
      delta({ id: "call_1", function: { name: "get_weather", arguments: '{"ci' } }),
      delta({ function: { arguments: 'ty":"Oslo"}' } }),
      end,
    ];
    provider.usual = stream([...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), "data: [DONE]\n\n"]);
    const parts = await gather(await client().chat({ model: MODEL, messages, tools: [weather], stream: true }));
    const calls = parts.flatMap(({ message }) => message.tool_calls ?? []);
    expect(calls).toEqual([{ id: "call_1", function: { index: 0, name: "get_weather", arguments: { city: "Oslo" } } }]);
    expect(parts.at(-1)).toMatchObject({ done: true, done_reason: "stop" });
  });

  it("sends pictures, instructions and a JSON schema", async () => {
    provider.usual = completion('{"a":1}');
    const format = { type: "object", properties: { a: { type: "number" } } };
    const asked = [
      { role: "system", content: "Be brief" },
      { role: "user", content: "What is it?", images: [PNG] },
    ];
    await client().chat({ model: MODEL, messages: asked, format });
    expect(provider.lastBody).toMatchObject({
      messages: [
        { role: "system", content: "Be brief" },
        { content: [{ text: "What is it?" }, { image_url: { url: `data:image/png;base64,${PNG}` } }] },
      ],
      response_format: { type: "json_schema", json_schema: { schema: format } },
    });
    await client().chat({ model: MODEL, messages, format: "json" });
    expect(provider.lastBody).toMatchObject({
      messages: [{ role: "system", content: "Respond in JSON." }, messages[0]],
      response_format: { type: "json_object" },
    });
  });

  it("shows what a Claude model thought, and asks it in Messages", async () => {
    const thinking = { type: "thinking", thinking: "Hm.", signature: "sig" };
    const usage = { input_tokens: 3, output_tokens: 4 };
    const content = [thinking, { type: "text", text: "Hello" }];
    wire.on("POST /v1/messages", reply(200, { type: "message", content, stop_reason: "max_tokens", usage }));
    const ask = (think: boolean) => client().chat({ model: "claude-sonnet-4-6:latest", messages, think });
    expect(await ask(true)).toMatchObject({
      message: { content: "Hello", thinking: "Hm." },
      done_reason: "length",
      prompt_eval_count: 3,
      eval_count: 4,
    });
    expect(wire.seen.at(-1)?.json).toMatchObject({ output_config: { effort: "medium" } });
    expect((await ask(false)).message).toEqual({ role: "assistant", content: "Hello" });
    expect(JSON.stringify(wire.seen.at(-1)?.json)).not.toContain("effort");
  });

  it("can be one prompt", async () => {
    provider.usual = stream(streamFrames(["Hel", "lo"]));
    const parts = await gather(await client().generate({ model: MODEL, prompt: "Hi", system: "Brief", stream: true }));
    expect(parts.map(({ response }) => response).join("")).toBe("Hello");
    expect(parts.at(-1)).toMatchObject({ done: true, done_reason: "stop" });
    provider.usual = completion();
    const whole = await client().generate({ model: MODEL, prompt: "Hi", images: [PNG] });
    expect(whole).toMatchObject({ response: "Hello from the provider.", done: true });
  });

  it("completes code between two texts at a server that can", async () => {
    wire.on("GET /own/v1/models", reply(200, { data: [{ id: "coder" }] }));
    const connections = await postern.ask<{ data: { id: string; provider: string }[] }>("GET", "/connections");
    const own = connections.data.find(({ provider: name }) => name === "openai-compatible");
    await postern.ask("POST", `/connections/${own?.id ?? ""}/test`);
    const choices = [{ index: 0, text: "return 1", finish_reason: "length" }];
    wire.on("POST /own/v1/completions", reply(200, { choices, usage: { prompt_tokens: 3, completion_tokens: 2 } }));
    const options = { num_predict: 9, temperature: 0, num_ctx: 4_096 };
    const code = { model: "coder", prompt: "function f() {", suffix: "}", options };
    expect(await client().generate(code)).toMatchObject({
      response: "return 1",
      done: true,
      done_reason: "length",
      prompt_eval_count: 3,
      eval_count: 2,
    });
    expect(wire.seen.at(-1)?.json).toEqual({
      model: "coder",
      prompt: "function f() {",
      suffix: "}",
      stream: false,
      temperature: 0,
      max_tokens: 9,
    });
    const event = `data: ${JSON.stringify({ choices })}\n\n`;
    wire.on("POST /own/v1/completions", replyBytes("text/event-stream", `${event}data: [DONE]\n\n`));
    const parts = await gather(await client().generate({ ...code, stream: true }));
    expect(parts.map(({ response }) => response)).toEqual(["return 1", ""]);
    expect(await postern.receipt()).toMatchObject({ endpoint: "completions", model: "coder" });
  });

  it.each(["chat", "generate"])("without words for %s loads nothing, and costs nothing", async (shape) => {
    const before = (await postern.receipts()).length;
    const response = await post(`/api/${shape}`, { model: MODEL, messages: [] });
    expect(await response.json()).toMatchObject({ model: MODEL, done: true, done_reason: "load" });
    const unloaded = await post(`/api/${shape}`, { model: MODEL, keep_alive: 0 });
    expect(await unloaded.json()).toMatchObject({ done_reason: "unload" });
    expect(await postern.receipts()).toHaveLength(before);
    expect((await post(`/api/${shape}`, { model: "nope" })).status).toBe(404);
  });

  it("breaks off with an error line", async () => {
    provider.usual = stream([...streamFrames(["Hel"]).slice(0, 2), 'data: {"error":{"message":"Out of memory"}}\n\n']);
    const parts = await client().chat({ model: MODEL, messages, stream: true });
    await expect(gather(parts)).rejects.toThrow("Out of memory");
  });
});

describe("models", () => {
  it("are those that the key may use, with what they can do", async () => {
    const { models } = await client(NARROW).list();
    expect(models.map(({ name }) => name)).toEqual([MODEL]);
    expect(models[0]).toMatchObject({ model: MODEL, size: 0, details: { family: "openai" } });
    expect(models[0]?.digest).toMatch(/^[\da-f]{64}$/);
    const shown = (await client().show({ model: `${MODEL}:latest` })) as unknown as Record<string, unknown>;
    expect(shown).toMatchObject({
      model_info: { "general.architecture": "openai", "openai.context_length": 1_047_576 },
      capabilities: ["completion", "tools", "vision"],
    });
    await expect(client(NARROW).show({ model: "gpt-5" })).rejects.toMatchObject({ status_code: 404 });
    expect((await client().show({ model: "gemini-embedding-001" })).capabilities).toEqual(["embedding"]);
    expect(await client().ps()).toEqual({ models: [] });
    expect((await client().version()).version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("embed texts", async () => {
    const data = [0, 1].map((index) => ({ index, embedding: [index, 0.5] }));
    const list = (count: number) =>
      reply(200, { data: data.slice(0, count), usage: { prompt_tokens: 2, total_tokens: 2 } });
    wire.on("POST /v1beta/openai/embeddings", list(2));
    const model = "gemini-embedding-001:latest";
    const { embeddings, prompt_eval_count } = await client().embed({ model, input: ["a", "b"] });
    expect([embeddings, prompt_eval_count]).toEqual([
      [
        [0, 0.5],
        [1, 0.5],
      ],
      2,
    ]);
    wire.on("POST /v1beta/openai/embeddings", list(1));
    expect(await client().embeddings({ model, prompt: "a" })).toEqual({ embedding: [0, 0.5] });
  });

  it.each([
    ["pull", (ollama: Ollama) => ollama.pull({ model: "llama3.2" })],
    ["delete", (ollama: Ollama) => ollama.delete({ model: "llama3.2" })],
    ["copy", (ollama: Ollama) => ollama.copy({ source: "a", destination: "b" })],
  ])("cannot be changed by %s, which says what to do", async (_, run) => {
    await expect(run(client())).rejects.toThrow(/Connect a provider on the page Providers/);
  });
});

describe("keys", () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ["a bearer", "/api/tags", bearer],
    ["the path", `/${KEY}/api/tags`, {}],
    ["the path below /v1 too", `/${KEY}/v1/models`, {}],
    ["the path, whose client sends another word as a key", `/${KEY}/api/tags`, { authorization: "Bearer ollama" }],
  ])("come by %s, and no log has them", async (_, path, headers) => {
    const response = await fetch(`${postern.url}${path}`, { headers });
    expect(response.status).toBe(200);
    expect(logged.join("\n")).not.toContain(KEY);
  });

  it("at the beginning of the path open neither pages nor the control API", async () => {
    const at = (path: string) => fetch(`${postern.url}/${KEY}${path}`);
    expect(await (await at("/")).text()).toBe("Ollama is running");
    expect(await (await at("")).text()).toBe("Ollama is running");
    for (const path of ["/control/keys", "/index.html", "/media/x", "/mcp"]) expect((await at(path)).status).toBe(404);
    expect((await fetch(`${postern.url}/sk-wrong-key-000000001/`)).status).toBe(401);
    expect(logged.join("\n")).not.toContain("sk-wrong");
  });

  it("are in no recording", async () => {
    await postern.ask("PATCH", "/settings", { record_bodies: true });
    provider.usual = stream(streamFrames(["Hello"]));
    await gather(await client().chat({ model: MODEL, messages, stream: true }));
    const { id } = await postern.receipt();
    const detail = JSON.stringify(await postern.ask("GET", `/requests/${id}`));
    expect(detail).toContain("/v1/chat/completions");
    expect(detail).not.toContain(KEY);
    const again = await postern.ask<{ status: number }>("POST", `/requests/${id}/resend`, {});
    expect(again.status).toBe(200);
    await postern.ask("PATCH", "/settings", { record_bodies: false });
  });

  it("need not be sent from this machine where the owner chose one with a limit", async () => {
    const ask = (headers: Readonly<Record<string, string>> = {}) =>
      post("/api/chat", { model: MODEL, messages, stream: false }, headers);
    const told = (await (await ask()).json()) as { error: string };
    expect(told.error).toMatch(/^No key was given\. .*Keys page/);
    const unlimited = await postern.control("POST", "/keys", { name: "open", ollama_default: true });
    expect([unlimited.status, await unlimited.json()]).toMatchObject([400, { error: { param: "limit_usd" } }]);
    const made = { name: "open", limit_usd: 1, ollama_default: true };
    const { key } = await postern.ask<{ key: { id: string } }>("POST", "/keys", made);
    expect((await postern.control("POST", "/keys", { ...made, name: "second" })).status).toBe(409);
    provider.usual = completion();
    expect((await ask()).status).toBe(200);
    expect(await postern.receipt()).toMatchObject({ key: key.id });
    expect((await ask({ authorization: "Bearer sk-unknown-key-0000001" })).status).toBe(401);
    for (const name of ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "via", "forwarded"])
      expect((await ask({ [name]: "203.0.113.9" })).status).toBe(401);
    expect((await ask({ origin: "https://app.test" })).status).toBe(401);
    expect((await ask({ origin: "https://evil.test" })).status).toBe(403);
    expect((await fetch(`${postern.url}/v1/models`)).status).toBe(401);
    expect((await postern.control("PATCH", `/keys/${key.id}`, { limit_usd: null })).status).toBe(400);
    await postern.ask("PATCH", `/keys/${key.id}`, { disabled: true });
    expect((await ask()).status).toBe(401);
    await postern.ask("PATCH", `/keys/${key.id}`, { disabled: false, ollama_default: false });
    expect((await ask()).status).toBe(401);
  });
});

describe("errors", () => {
  it.each<[number, string, unknown, string]>([
    [400, "/api/chat", "{", KEY],
    [400, "/api/chat", { messages }, KEY],
    [400, "/api/chat", { model: MODEL, messages: [{ role: "critic", content: "" }] }, KEY],
    [400, "/api/chat", { model: MODEL, messages, options: { temperature: 9 } }, KEY],
    [400, "/api/chat", { model: MODEL, messages, format: "yaml" }, KEY],
    [400, "/api/chat", { model: MODEL, messages: [{ role: "user", images: ["https://x.test/a.png"] }] }, KEY],
    [400, "/api/generate", { model: MODEL, prompt: "a", suffix: "b" }, KEY],
    [400, "/api/generate", { model: MODEL, prompt: "a", raw: true }, KEY],
    [400, "/api/chat", { model: "gemini-embedding-001", messages }, KEY],
    [400, "/api/embed", { model: MODEL, input: "a" }, KEY],
    [402, "/api/chat", { model: MODEL, messages }, PENNILESS],
    [403, "/api/chat", { model: "gpt-5", messages }, NARROW],
    [404, "/api/chat", { model: "nope", messages }, KEY],
    [404, "/api/signout", {}, KEY],
    [405, "/api/tags", {}, KEY],
  ])("say %s to a POST of %s in Ollama's form", async (status, path, body, key) => {
    const response = await post(path, body, { authorization: `Bearer ${key}` });
    expect([response.status, await response.json()]).toEqual([status, { error: expect.stringMatching(/./) }]);
  });

  it("of the provider keep their status", async () => {
    provider.usual = respond(429, '{"error":{"message":"Slow down"}}', { "retry-after": "7200" });
    await expect(client().chat({ model: MODEL, messages, stream: true })).rejects.toMatchObject({
      status_code: 429,
      message: expect.stringContaining("Slow down") as unknown,
    });
  });

  it("for a bad body have a receipt", async () => {
    await post("/api/chat", { model: MODEL, messages: [{ role: "critic", content: "" }] });
    expect(await postern.receipt()).toMatchObject({ endpoint: "chat", model: MODEL, status: 400 });
  });
});

describe("a route", () => {
  it("takes over where its first model fails", async () => {
    await postern.ask("POST", "/routes", { name: "either", models: ["claude-sonnet-4-6", MODEL] });
    wire.on("POST /v1/messages", reply(529, { type: "error", error: { type: "overloaded_error", message: "Busy" } }));
    provider.usual = completion();
    const response: GenerateResponse = await client().generate({ model: "either", prompt: "Hi", think: true });
    expect(response.response).toBe("Hello from the provider.");
    expect(await postern.receipt()).toMatchObject({ model: MODEL });
  });
});
