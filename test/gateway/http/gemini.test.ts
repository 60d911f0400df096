import { describe, expect, it } from "vitest";
import { completion, stream, streamFrames } from "../../support/acts.ts";
import { KEY, providersAt } from "../../support/running-gateway.ts";
import { useGateway, useProvider, useWire } from "../../support/use-gateway.ts";
import { reply, replyBytes } from "../../support/wire-provider.ts";

const wire = useWire();
const provider = useProvider();
const logged: string[] = [];
const postern = useGateway(() => ({
  provider,
  logged,
  env: { ...providersAt({ GEMINI: wire.origin, ANTHROPIC: wire.origin }), POSTERN_ALLOWED_ORIGINS: "https://app.test" },
  keys: [
    { key: "sk-test-limited-key-0002", name: "limited", limit_usd: 0.01 },
    { key: "sk-test-narrow-key-00004", name: "narrow", models: ["gemini-*"] },
    { key: "sk-test-penniless-key-003", name: "penniless", limit_usd: 0.000_000_1 },
  ],
}));

const ASK = { contents: [{ role: "user", parts: [{ text: "Hi" }] }] };
const MODEL = "gemini-2.5-flash";
const NATIVE = `/v1beta/models/${MODEL}:generateContent`;
const STREAM = `/v1beta/models/${MODEL}:streamGenerateContent`;
const ANSWER = {
  candidates: [{ content: { role: "model", parts: [{ text: "Hello" }] }, finishReason: "STOP", index: 0 }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 4, thoughtsTokenCount: 6, totalTokenCount: 20 },
  modelVersion: MODEL,
};

const ask = (
  path: string,
  body: unknown = ASK,
  headers: Readonly<Record<string, string>> = { "x-goog-api-key": KEY },
) =>
  fetch(`${postern.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const get = (path: string, headers: Readonly<Record<string, string>> = { "x-goog-api-key": KEY }) =>
  fetch(`${postern.url}${path}`, { headers });

interface GoogleError {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly status: string;
    readonly details: object[];
  };
}

describe("a Gemini model", () => {
  it("gets its client's bytes, with Google's own key, and its response comes back byte for byte", async () => {
    // Numbers and spaces that no parser would write again.
    const body = `{ "contents": [{"parts":[{"text":"Hi"}]}], "generation_config": {"temperature": 1.0}, "labels": {"a_b":"c"} }`;
    const answer = `{ "candidates": [${JSON.stringify(ANSWER.candidates[0])}],\n "usageMetadata": {"promptTokenCount": 10.0, "candidatesTokenCount": 4, "thoughtsTokenCount": 6} }`;
    wire.on(`POST ${NATIVE}`, replyBytes("application/json", answer));
    const response = await ask(NATIVE, body);
    expect([response.status, await response.text()]).toEqual([200, answer]);
    const seen = wire.seen.at(-1);
    expect(seen?.body.toString()).toBe(body);
    expect(seen?.headers).toMatchObject({ "x-goog-api-key": "sk-gemini-0001" });
    expect(JSON.stringify(seen?.headers)).not.toContain(KEY);
    const { endpoint, model, terms } = await postern.receipt();
    expect([endpoint, model]).toEqual(["gemini", MODEL]);
    const figures = Object.fromEntries((terms ?? []).map(({ unit, quantity }) => [unit, quantity]));
    expect(figures).toEqual({ input: 10, output: 4, reasoning: 6 });
  });

  it("streams its events untouched, or as items of one array where its client reads no events", async () => {
    const chunk = (text: string, more: object = {}) => ({ candidates: [{ content: { parts: [{ text }] }, ...more }] });
    const events = [chunk("Hel"), { ...chunk("lo", { finishReason: "STOP" }), usageMetadata: ANSWER.usageMetadata }];
    const sent = events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join("");
    wire.on(`POST ${STREAM}`, replyBytes("text/event-stream", sent));
    const response = await ask(`${STREAM}?alt=sse`);
    expect([response.headers.get("content-type"), await response.text()]).toEqual([
      "text/event-stream; charset=utf-8",
      sent,
    ]);
    expect(wire.seen.at(-1)?.query.get("alt")).toBe("sse");
    const whole = await ask(STREAM);
    expect(whole.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await whole.json()).toEqual(events);
  });

  it("is given no more output than a limited key can pay for, in its own field", async () => {
    wire.on(`POST ${NATIVE}`, reply(200, ANSWER));
    const body = { ...ASK, generationConfig: { maxOutputTokens: 60_000, temperature: 0.5 } };
    expect((await ask(NATIVE, body, { "x-goog-api-key": "sk-test-limited-key-0002" })).status).toBe(200);
    const sent = wire.seen.at(-1)?.json as { generationConfig: { maxOutputTokens: number; temperature: number } };
    expect(sent.generationConfig).toMatchObject({ temperature: 0.5 });
    expect(sent.generationConfig.maxOutputTokens).toBeLessThan(5_000);
    expect(Object.keys(sent).toSorted()).toEqual(["contents", "generationConfig"]);
  });

  it("runs its hosted tools for keys that may use them", async () => {
    wire.on(`POST ${NATIVE}`, reply(200, ANSWER));
    const body = { ...ASK, tools: [{ google_search: {} }] };
    expect((await ask(NATIVE, body)).status).toBe(200);
    const refused = await ask(NATIVE, body, { "x-goog-api-key": "sk-test-narrow-key-00004" });
    const { error } = (await refused.json()) as GoogleError;
    expect([refused.status, error.status, error.message]).toEqual([
      403,
      "PERMISSION_DENIED",
      expect.stringContaining("tools[0].googleSearch"),
    ]);
  });

  it("that blocks a prompt says why in Google's words", async () => {
    const blocked = { promptFeedback: { blockReason: "SAFETY" }, usageMetadata: { promptTokenCount: 3 } };
    wire.on(`POST ${NATIVE}`, reply(200, blocked));
    expect(await (await ask(NATIVE)).json()).toEqual(blocked);
  });

  it("fails with Google's own status and message", async () => {
    const error = { code: 400, message: "Unknown name: Cannot find field.", status: "FAILED_PRECONDITION" };
    wire.on(`POST ${NATIVE}`, reply(400, { error }));
    const response = await ask(NATIVE);
    const told = (await response.json()) as GoogleError;
    expect([response.status, told.error]).toMatchObject([400, { ...error, details: [{ domain: "postern" }] }]);
  });

  it("counts by itself, and other models are counted here", async () => {
    wire.on(`POST /v1beta/models/${MODEL}:countTokens`, reply(200, { totalTokens: 77, more: 1 }));
    expect(await (await ask(`/v1beta/models/${MODEL}:countTokens`)).json()).toEqual({ totalTokens: 77, more: 1 });
    const { totalTokens } = (await (
      await ask("/v1beta/models/gpt-4.1:countTokens", { generateContentRequest: ASK })
    ).json()) as { totalTokens: number };
    expect(totalTokens).toBeGreaterThan(0);
  });

  it("embeds for a purpose natively, without one by the common interface", async () => {
    const path = "/v1beta/models/gemini-embedding-001";
    wire.on(`POST ${path}:batchEmbedContents`, reply(200, { embeddings: [{ values: [1, 0] }] }));
    const data = [0, 1].map((index) => ({ index, embedding: [index, 1] }));
    wire.on("POST /v1beta/openai/embeddings", reply(200, { data, usage: { prompt_tokens: 2 } }));
    const content = { parts: [{ text: "a" }] };
    const one = await ask(`${path}:embedContent`, { content, taskType: "RETRIEVAL_QUERY" });
    expect(await one.json()).toEqual({ embedding: { values: [1, 0] } });
    expect(wire.seen.at(-1)?.json).toMatchObject({ requests: [{ taskType: "RETRIEVAL_QUERY" }] });
    const two = await ask(`${path}:batchEmbedContents`, { requests: [{ content }, { content }] });
    expect(await two.json()).toEqual({ embeddings: [{ values: [0, 1] }, { values: [1, 1] }] });
    const mixed = await ask(`${path}:batchEmbedContents`, { requests: [{ content }, { content, taskType: "X" }] });
    expect(mixed.status).toBe(400);
  });
});

describe("another provider's model", () => {
  it("is asked in its own dialect, and its receipt says by which the client came", async () => {
    provider.usual = completion();
    const response = await ask("/v1beta/models/gpt-4.1:generateContent", {
      ...ASK,
      systemInstruction: { parts: [{ text: "Be brief" }] },
    });
    expect(await response.json()).toMatchObject({
      candidates: [{ content: { role: "model" }, finishReason: "STOP" }],
      modelVersion: "gpt-4.1",
    });
    expect(provider.lastBody).toMatchObject({ messages: [{ role: "system" }, { role: "user", content: "Hi" }] });
    expect(await postern.receipt()).toMatchObject({ endpoint: "gemini", model: "gpt-4.1", client: expect.any(String) });
  });

  it("of Anthropic's too, in Messages", async () => {
    wire.on(
      "POST /v1/messages",
      reply(200, {
        type: "message",
        content: [{ type: "tool_use", id: "toolu_1", name: "f", input: { a: 1 } }],
        stop_reason: "tool_use",
        usage: { input_tokens: 3, output_tokens: 4 },
      }),
    );
    const tools = [{ functionDeclarations: [{ name: "f", parameters: { type: "OBJECT" } }] }, { googleSearch: {} }];
    const response = await ask("/v1beta/models/claude-sonnet-4-6:generateContent", { ...ASK, tools });
    expect(response.headers.get("x-postern-dropped-tools")).toBe("google_search");
    expect(await response.json()).toMatchObject({
      candidates: [{ content: { parts: [{ functionCall: { id: "toolu_1", name: "f", args: { a: 1 } } }] } }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
    });
    expect(wire.seen.at(-1)?.json).toMatchObject({ tools: [{ name: "f" }] });
  });

  it("along a route takes over where Google fails", async () => {
    await postern.ask("POST", "/routes", { name: "either", models: [MODEL, "gpt-4.1"] });
    wire.on(`POST ${NATIVE}`, reply(503, { error: { code: 503, message: "Overloaded", status: "UNAVAILABLE" } }));
    provider.usual = completion();
    const response = await ask("/v1beta/models/either:generateContent");
    expect([response.status, await response.json()]).toMatchObject([200, { candidates: [{ finishReason: "STOP" }] }]);
    expect(await postern.receipt()).toMatchObject({ endpoint: "gemini", model: "gpt-4.1" });
  });
});

describe("keys, errors and addresses", () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ["a bearer", "/v1beta/models", { authorization: `Bearer ${KEY}` }],
    ["Google's header", "/v1beta/models", { "x-goog-api-key": KEY }],
    ["the address", `/v1beta/models?key=${KEY}`, {}],
    ["two of them that are the same", `/v1beta/models?key=${KEY}`, { "x-goog-api-key": KEY }],
    ["Google's header below /v1, as its Python SDK asks", "/v1/models", { "x-goog-api-key": KEY }],
  ])("takes a key by %s", async (_, path, headers) => {
    const response = await get(path, headers);
    expect([response.status, await response.json()]).toMatchObject([200, { models: expect.any(Array) }]);
    expect(logged.join("\n")).not.toContain(KEY);
  });

  it.each<[number, string, string, Readonly<Record<string, string>>]>([
    [401, "UNAUTHENTICATED", "/v1beta/models", {}],
    [401, "UNAUTHENTICATED", "/v1beta/models?key=sk-no", {}],
    [400, "INVALID_ARGUMENT", `/v1beta/models?key=${KEY}`, { "x-goog-api-key": "sk-other" }],
    [403, "PERMISSION_DENIED", "/v1beta/models", { "x-goog-api-key": KEY, origin: "https://evil.test" }],
    [404, "NOT_FOUND", "/v1beta/models/nope", { "x-goog-api-key": KEY }],
    [404, "NOT_FOUND", "/v1beta/files", { "x-goog-api-key": KEY }],
    [404, "NOT_FOUND", "/v1/v1beta/models", { "x-goog-api-key": KEY }],
    [404, "NOT_FOUND", "/v1beta/models/", { "x-goog-api-key": KEY }],
    [405, "UNIMPLEMENTED", NATIVE, { "x-goog-api-key": KEY }],
    [400, "INVALID_ARGUMENT", "/v1beta/models?pageToken=xyz", { "x-goog-api-key": KEY }],
  ])("says %s %s in Google's envelope for %s", async (status, word, path, headers) => {
    const response = await get(path, headers);
    const { error } = (await response.json()) as GoogleError;
    expect([response.status, error.code, error.status]).toEqual([status, status, word]);
    expect(error.details).toMatchObject([{ metadata: { request_id: response.headers.get("x-request-id") } }]);
  });

  it.each<[number, string, string, unknown, string]>([
    [400, "INVALID_ARGUMENT", NATIVE, { contents: [] }, KEY],
    [400, "INVALID_ARGUMENT", NATIVE, "{", KEY],
    [404, "NOT_FOUND", "/v1beta/models/gpt-4.1:predict", ASK, KEY],
    [404, "NOT_FOUND", "/v1beta/models/nope:generateContent", ASK, KEY],
    [400, "INVALID_ARGUMENT", "/v1beta/models/gemini-embedding-001:generateContent", ASK, KEY],
    [402, "RESOURCE_EXHAUSTED", NATIVE, ASK, "sk-test-penniless-key-003"],
  ])("says %s %s to a POST of %s", async (status, word, path, body, key) => {
    const response = await ask(path, body, { "x-goog-api-key": key });
    const { error } = (await response.json()) as GoogleError;
    expect([response.status, error.code, error.status]).toEqual([status, status, word]);
  });

  it("tells in Google's form when to come again", async () => {
    provider.next(({ outgoing }) => {
      outgoing.writeHead(429, { "retry-after": "7200" }).end('{"error":{"message":"Slow down"}}');
    });
    const response = await ask("/v1beta/models/gpt-4.1:generateContent");
    const { error } = (await response.json()) as GoogleError;
    expect([response.status, error.details[1]]).toEqual([
      429,
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7200s" },
    ]);
  });

  it("answers a browser of an allowed origin, whose question has no key", async () => {
    const question = await fetch(`${postern.url}${NATIVE}`, {
      method: "OPTIONS",
      headers: {
        origin: "https://app.test",
        "access-control-request-method": "POST",
        "access-control-request-headers": "x-goog-api-key",
      },
    });
    expect([question.status, question.headers.get("access-control-allow-headers")]).toEqual([204, "x-goog-api-key"]);
  });

  it("refuses a request that Postern sent to itself", async () => {
    let header: string | undefined;
    wire.on(`POST ${NATIVE}`, (seen, outgoing) => {
      header = Object.entries(seen.headers)
        .find(([name]) => name.startsWith("x-postern"))
        ?.join(":");
      return reply(200, ANSWER)(seen, outgoing);
    });
    await ask(NATIVE);
    const [name = "", value = ""] = header?.split(":") ?? [];
    const response = await ask(NATIVE, ASK, { "x-goog-api-key": KEY, [name]: value });
    expect([response.status, await response.json()]).toMatchObject([508, { error: { code: 508 } }]);
  });

  it("lists every model once, page by page, in Google's shape", async () => {
    const names: string[] = [];
    let token: string | undefined = "";
    while (token !== undefined) {
      const page = await get(`/v1beta/models?pageSize=7&pageToken=${token}`);
      const { models, nextPageToken } = (await page.json()) as { models: { name: string }[]; nextPageToken?: string };
      expect(models.length).toBeLessThanOrEqual(7);
      names.push(...models.map(({ name }) => name));
      token = nextPageToken;
    }
    const all = (await (await get("/v1/models", { authorization: `Bearer ${KEY}` })).json()) as {
      data: { id: string }[];
    };
    expect(names).toEqual(all.data.map(({ id }) => `models/${id}`));
    expect(await (await get(`/v1beta/models/${MODEL}`)).json()).toMatchObject({
      name: `models/${MODEL}`,
      inputTokenLimit: 1_048_576,
      supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
    });
  });
});

describe("what the pages keep", () => {
  it("is replayed from its recording, by the address that the client used", async () => {
    await postern.ask("PATCH", "/settings", { record_bodies: true });
    provider.usual = stream(streamFrames(["Hello"]));
    const tools = [{ functionDeclarations: [{ name: "f" }] }];
    const response = await ask("/v1beta/models/gpt-4.1:streamGenerateContent?alt=sse", { ...ASK, tools });
    expect(await response.text()).toContain("finishReason");
    const { id } = await postern.receipt();
    const { recording } = await postern.ask<{ recording: { path: string; request: { text: string } } }>(
      "GET",
      `/requests/${id}`,
    );
    expect(recording.path).toBe("/v1beta/models/gpt-4.1:streamGenerateContent?alt=sse");
    expect(JSON.parse(recording.request.text)).toEqual({ ...ASK, tools });
    const again = await postern.ask<{ status: number; response: string }>("POST", `/requests/${id}/resend`, {});
    expect([again.status, again.response]).toEqual([200, expect.stringContaining('"finishReason":"STOP"')]);
    await postern.ask("PATCH", "/settings", { record_bodies: false });
  });
});
