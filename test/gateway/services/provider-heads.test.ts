import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { dose, thin } from "../../support/dose.ts";
import { chunkText, completionText, streamFrames } from "../../support/acts.ts";
import { CHAT } from "../../support/running-gateway.ts";
import { soundForm, transcribe } from "../../support/transcription-acts.ts";
import { useGateway } from "../../support/use-gateway.ts";

/** Status line and headers of every response of the provider, without the blank line; and its body. */
let head: readonly (string | Buffer)[] = [];
let body: string | Buffer = "";
let provider: Server;
const logged: string[] = [];
beforeAll(async () => {
  // Node's own server would refuse to write most of this.
  provider = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      for (const line of head)
        socket.write(Buffer.concat([Buffer.from(line as string, "latin1"), Buffer.from("\r\n")]));
      socket.write(`content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`);
      socket.end(body);
    });
  });
  provider.listen(0, "127.0.0.1");
  await once(provider, "listening");
});
const postern = useGateway(() => {
  const { port } = provider.address() as AddressInfo;
  return {
    logged,
    env: {
      POSTERN_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      POSTERN_OPENAI_API_KEY: "sk-provider-0001",
      POSTERN_ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      POSTERN_ANTHROPIC_API_KEY: "sk-provider-0002",
    },
  };
});
afterAll(async () => {
  provider.close();
});

const OK = "HTTP/1.1 200 OK";
const JSON_TYPE = "content-type: application/json";
const WHOLE = completionText();

/** Calls of every kind, each with a body that it would take. */
const CALLS: readonly (readonly [string, string, unknown, string, string])[] = [
  ["chat", "/chat/completions", CHAT, WHOLE, JSON_TYPE],
  [
    "streamed chat",
    "/chat/completions",
    { ...CHAT, stream: true },
    streamFrames().join(""),
    "content-type: text/event-stream",
  ],
  [
    "messages",
    "/messages",
    { model: "claude-sonnet-5-5", max_tokens: 9, messages: CHAT.messages },
    JSON.stringify({
      type: "message",
      role: "assistant",
      content: [{ type: "text", text: "x" }],
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
    JSON_TYPE,
  ],
  [
    "responses",
    "/responses",
    { model: CHAT.model, input: "x" },
    JSON.stringify({ object: "response", output: [], usage: null }),
    JSON_TYPE,
  ],
  [
    "embeddings",
    "/embeddings",
    { model: "text-embedding-3-small", input: "x" },
    JSON.stringify({
      object: "list",
      data: [{ object: "embedding", index: 0, embedding: [0.5] }],
      usage: { prompt_tokens: 1, total_tokens: 1 },
    }),
    JSON_TYPE,
  ],
  [
    "images",
    "/images/generations",
    { model: "gpt-image-1", prompt: "x" },
    JSON.stringify({ created: 1, data: [{ b64_json: "iVBORw0KGgo=" }] }),
    JSON_TYPE,
  ],
  [
    "speech",
    "/audio/speech",
    { model: "gpt-4o-mini-tts", input: "x", voice: "alloy" },
    "ID3sound",
    "content-type: audio/mpeg",
  ],
  ["a transcript", "/audio/transcriptions", soundForm({}), JSON.stringify({ text: "x" }), JSON_TYPE],
  [
    "a streamed transcript",
    "/audio/transcriptions",
    soundForm({ model: "gpt-4o-transcribe", stream: "true" }),
    `data: ${JSON.stringify({ type: "transcript.text.done", text: "x" })}\n\n`,
    "content-type: text/event-stream",
  ],
  [
    "a moderation",
    "/moderations",
    { model: "omni-moderation-latest", input: "x" },
    JSON.stringify({ id: "m", model: "m", results: [] }),
    JSON_TYPE,
  ],
  [
    "a video",
    "/videos/generations",
    { model: "sora-2", prompt: "x" },
    JSON.stringify({ id: "video_1", status: "queued" }),
    JSON_TYPE,
  ],
];

/** Headers that a provider, or what stands before it, may send twice or wrongly. */
const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ["two types", [JSON_TYPE, "Content-Type: text/html"]],
  ["the same type twice", [JSON_TYPE, JSON_TYPE]],
  ["two codings", ["content-encoding: identity", "content-encoding: identity"]],
  ["gzip twice", ["content-encoding: gzip", "content-encoding: gzip"]],
  ["two dates and two pauses", ["date: x", "date: y", "retry-after: 1", "retry-after: soon"]],
  ["two pauses in milliseconds", ["retry-after-ms: 1", "retry-after-ms: 2"]],
  ["two ids", ["x-request-id: a", "x-request-id: b", "request-id: a", "request-id: b"]],
  [
    "figures for the client, twice",
    [
      "openai-processing-ms: 1",
      "openai-processing-ms: 2",
      "x-ratelimit-remaining-tokens: 1",
      "x-ratelimit-remaining-tokens: 2",
    ],
  ],
  ["Anthropic's figures, twice", ["anthropic-ratelimit-x: 1", "anthropic-ratelimit-x: 2"]],
  ["figures that are no ASCII", ["openai-processing-ms: \u00e9\u00ff\u0080"]],
  ["figures with a tab", ["anthropic-ratelimit-x: a\tb"]],
  ["figures that name another header", ["openai-processing-ms: content-length", "anthropic-ratelimit-x: x-request-id"]],
  ["a type of 8,000 letters", [`content-type: ${"x".repeat(8_000)}`]],
  ["an empty type", ["content-type:"]],
  ["a type of nothing but parameters", ["content-type: ;;;=;"]],
  ["names of prototypes", ["__proto__: x", "constructor: y", "toString: z", "__proto__: w", "constructor: v"]],
  ["500 headers", Array.from({ length: 500 }, (_, index) => `x-${index}: y`)],
  ["two addresses to go to", ["location: http://a.example", "location: http://b.example"]],
  ["cookies", ["set-cookie: a=b", "set-cookie: c=d"]],
];

async function call([, path, request]: (typeof CALLS)[number]): Promise<{ status: number; text: string }> {
  const response = await (request instanceof FormData ? transcribe(postern, request) : postern.post(path, request));
  return { status: response.status, text: await response.text() };
}

/** Between bad ones, so that the provider goes on being asked. */
async function callWell(kind: (typeof CALLS)[number]): Promise<void> {
  const [, , , good, type] = kind;
  head = [OK, type];
  body = good;
  expect([200, 202]).toContain((await call(kind)).status);
}

function isMistake({ status, text }: { status: number; text: string }): boolean {
  return status === 500 || text.includes("internal_error") || text.includes("Postern made a mistake");
}

describe.each(CALLS.map((kind, position) => [kind[0], kind, position] as const))("%s", (_kind, kind, position) => {
  const [, , , goodBody, goodType] = kind;

  // In the short dose each kind of call meets each third head, another third than its neighbour.
  it.each(thin(HEADERS, 3, position % 3))("with %s is no mistake of ours", async (_name, lines) => {
    body = goodBody;
    head = [OK, ...(lines.some((line) => /^content-type/i.test(line)) ? [] : [goodType]), ...lines];
    const reports = [await call(kind)];
    await callWell(kind);
    head = ["HTTP/1.1 503 Busy", ...lines, "retry-after: 0"];
    body = '{"error":{"message":"busy"}}';
    reports.push(await call(kind));
    await callWell(kind);
    expect(reports.filter(isMistake)).toEqual([]);
  });
});

it("what is doubled and the same is as good as what came once", async () => {
  head = [OK, JSON_TYPE, JSON_TYPE, "content-encoding: identity", "content-encoding: identity"];
  body = WHOLE;
  expect(await call(CALLS[0] as (typeof CALLS)[number])).toMatchObject({ status: 200, text: WHOLE });
  expect(await postern.receipt()).toMatchObject({ outcome: "completed", status: 200 } satisfies Partial<Receipt>);
});

it("no head of a provider is a mistake of ours", async () => {
  const name = fc.oneof(
    fc.constantFrom(
      "content-type",
      "content-encoding",
      "retry-after",
      "retry-after-ms",
      "date",
      "location",
      "openai-processing-ms",
      "anthropic-ratelimit-requests-limit",
      "x-request-id",
      "transfer-encoding",
      "connection",
      "upgrade",
      "trailer",
    ),
    fc.stringMatching(/^[!#$%&'*+.^_`|~0-9a-zA-Z-]{1,12}$/),
  );
  const value = fc.oneof(
    fc.constantFrom("", "gzip", "text/event-stream", "application/json", "chunked", "close", "1e400", "-0", "Infinity"),
    fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 40 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...CALLS),
      fc.constantFrom(200, 201, 204, 206, 302, 400, 404, 429, 500, 529, 799),
      fc.array(fc.tuple(name, value, fc.boolean()), { maxLength: 6 }),
      fc.constantFrom(WHOLE, "", "{}", `data: ${chunkText({ content: "x" })}\n\n`),
      async (kind, status, lines, sent) => {
        const written = lines.flatMap(([key, text, twice]) =>
          twice ? [`${key}: ${text}`, `${key}: ${text}x`] : [`${key}: ${text}`],
        );
        head = [`HTTP/1.1 ${status} X`, ...written, "retry-after-ms: 0"];
        body = sent;
        expect([await call(kind)].filter(isMistake)).toEqual([]);
        await callWell(kind);
      },
    ),
    { numRuns: dose(10, 150) },
  );
  expect(logged.filter((line) => line.includes('"event":"bug"'))).toEqual([]);
}, 600_000);
