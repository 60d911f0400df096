import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  DONE_FRAME,
  FINISH_FRAME,
  respond,
  chunkText,
  completion,
  completionText,
  contentFrame,
  gzipBomb,
  rawBytes,
  reset,
  stream,
  streamThenCut,
} from "../../../support/acts.ts";
import { startProvider, type Act, type MockProvider } from "../../../support/mock-provider.ts";
import { CHAT, errorOf, startGateway, type TestGateway } from "../../../support/running-gateway.ts";

let provider: MockProvider;
let postern: TestGateway;
beforeAll(async () => {
  provider = await startProvider();
  postern = await startGateway({ provider });
});
beforeEach(() => provider.reset());
afterAll(async () => {
  await postern.close();
  await provider.close();
});
/** Whatever the provider did, the next call goes through. */
afterEach(async () => {
  provider.reset();
  const response = await postern.chat();
  expect(response.status).toBe(200);
  await response.arrayBuffer();
});

const whole = completionText();
const head = (headers: string, body = ""): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${headers}\r\n${body}`;
const eventStream = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";

/** Answers to an unstreamed call that are invalid. */
const LIES: readonly (readonly [string, Act])[] = [
  ["an HTML page", respond(200, "<html><body>Log in</body></html>", { "content-type": "text/html" })],
  ["nothing", respond(200, "")],
  ["204", respond(204, "")],
  ["half a JSON object", respond(200, whole.slice(0, -20))],
  ["bytes that are not UTF-8", respond(200, Buffer.from(whole.replace("Hello", "\xff\xfe\xc3"), "latin1"))],
  ["JSON that is no completion", respond(200, '{"hello":"world"}')],
  ["JSON that is no object", respond(200, "[1,2,3]")],
  ["choices that are no list", respond(200, '{"choices":{"0":{}}}')],
  ["no choice at all", respond(200, '{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":0}}')],
  ["a stream where none was asked for", stream()],
  ["a redirect", respond(302, "", { location: "http://169.254.169.254/latest/meta-data/" })],
  ["a permanent redirect", respond(308, "", { location: "https://example.com/v1/chat/completions" })],
  ["a length that is too short", rawBytes(head(`content-length: ${whole.length - 10}\r\n`, whole))],
  ["a length that is too long", rawBytes(head(`content-length: ${whole.length + 10}\r\n`, whole))],
  ["two different lengths", rawBytes(head(`content-length: 5\r\ncontent-length: ${whole.length}\r\n`, whole))],
  ["both a length and chunks", rawBytes(head(`content-length: 5\r\ntransfer-encoding: chunked\r\n`, `0\r\n\r\n`))],
  ["a bad chunk size", rawBytes(head("transfer-encoding: chunked\r\n", "zz\r\n{}\r\n"))],
  ["no HTTP", rawBytes("220 smtp.example.com ESMTP\r\n")],
  ["a head without an end", rawBytes(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}`)],
  ["a connection that closes", rawBytes("")],
  ["a reset", reset],
  ["a gzip bomb", gzipBomb(300_000_000)],
  ["half of a packed body", respond(200, gzipSync(whole).subarray(0, 40), { "content-encoding": "gzip" })],
  ["a chain of encodings", respond(200, gzipSync(gzipSync(whole)), { "content-encoding": "gzip, gzip" })],
  ["an unknown encoding", respond(200, whole, { "content-encoding": "rot13" })],
  ["a JSON error in a 200", respond(200, '{"error":{"message":"it broke","type":"server_error"}}')],
  ["a text error in a 200", respond(200, '{"error":"it broke"}')],
  ["a status that does not exist", rawBytes("HTTP/1.1 799 Odd\r\ncontent-length: 0\r\n\r\n")],
  ["another protocol", rawBytes("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n")],
  ["a prototype trick", respond(200, '{"__proto__":{"choices":[]},"constructor":{"choices":[]}}')],
  ["deeply nested JSON", respond(200, `${"[".repeat(200_000)}${"]".repeat(200_000)}`)],
];

/** Answers that say that the provider has done nothing. */
const REDIRECTS = /redirect|a status that does not exist/;

/** What a provider may have done costs its prompt, by an estimate. */
async function expectClearFailure(response: Response, name: string): Promise<void> {
  expect([502, 503, 504]).toContain(response.status);
  const error = await errorOf(response);
  expect(error.type).toBe("upstream_error");
  expect(["upstream_error", "no_upstream", "upstream_timeout"]).toContain(error.code);
  expect(error.message).toContain("OpenAI");
  expect(error.message.length).toBeLessThan(400);
  expect(error.message).not.toContain("<html");
  const receipt = await postern.receipt();
  expect(receipt).toMatchObject({ status: response.status, code: error.code });
  if (REDIRECTS.test(name)) expect(receipt).toMatchObject({ outcome: "failed", nano: 0, terms: [], estimated: false });
  else {
    expect(receipt).toMatchObject({ outcome: "unknown", estimated: true });
    expect(receipt.nano).toBeGreaterThan(0);
  }
  expect(postern.gateway.state().in_flight).toBe(0);
}

describe("to an unstreamed call", () => {
  it.each(LIES)("%s is a clear error, and is booked as unknown", async (name, act) => {
    provider.usual = act;
    await expectClearFailure(await postern.chat(), name);
    expect(provider.chats.length).toBeLessThanOrEqual(3);
  });
});

const LINE = Buffer.alloc(100_000_000, 97);
const STREAM_LIES: readonly (readonly [string, Act])[] = [
  ["an HTML page", respond(200, "<html></html>", { "content-type": "text/html" })],
  [
    "an HTML page that says that it is a stream",
    respond(200, "<html></html>\n\n", { "content-type": "text/event-stream" }),
  ],
  ["a whole answer", completion()],
  ["nothing", stream([])],
  ["comments only", stream([": hello\n\n"])],
  ["the end mark alone", stream([DONE_FRAME])],
  ["half a frame", stream(['data: {"choices":[{"del'])],
  ["half a frame and a cut", streamThenCut(['data: {"choices":[{"del'])],
  ["half a frame and a reset", streamThenCut(['data: {"choices":[{"del'], true)],
  ["an event that is no JSON", stream(["data: hello\n\n"])],
  ["an event that is no object", stream(["data: 42\n\n"])],
  ["bytes that are not UTF-8", stream([Buffer.from('data: {"x":"\xff\xfe"}\n\n', "latin1")])],
  ["a line of 100 MB", stream(["data: ", LINE])],
  ["an error first", stream(['data: {"error":{"message":"it broke","type":"server_error","code":null}}\n\n'])],
  ["a JSON error in a 200", respond(200, '{"error":{"message":"it broke","type":"server_error"}}')],
  ["a redirect", respond(301, "", { location: "/elsewhere" })],
  [
    "a broken packed stream",
    respond(200, Buffer.from("not gzip"), { "content-type": "text/event-stream", "content-encoding": "gzip" }),
  ],
  ["a bomb", gzipBomb(300_000_000, { "content-type": "text/event-stream" })],
  ["a chain of encodings", respond(200, "x", { "content-type": "text/event-stream", "content-encoding": "gzip, br" })],
  ["a bad chunk", rawBytes(`${eventStream}transfer-encoding: chunked\r\n\r\nzz\r\n`)],
  ["a reset", reset],
];

describe("to a streamed call, before anything of it was passed on", () => {
  it.each(STREAM_LIES)("%s is a clear error with its own status, and is booked as unknown", async (name, act) => {
    provider.usual = act;
    const response = await postern.chat({ ...CHAT, stream: true });
    expect(response.headers.get("content-type")).toContain("application/json");
    await expectClearFailure(response, name);
  });
});

const GOOD = contentFrame("Good");
const LATE_LIES: readonly (readonly [string, Act])[] = [
  ["a cut", streamThenCut([GOOD])],
  ["a cut in the middle of a frame", streamThenCut([GOOD, GOOD.slice(0, 30)])],
  ["a reset", streamThenCut([GOOD], true)],
  ["an end without a finish", stream([GOOD], 5)],
  ["half a frame", stream([GOOD, GOOD.slice(0, 30)], 5)],
  ["HTML", stream([GOOD, "<html>\n\n", "data: <html>\n\n"], 5)],
  ["bytes that are not UTF-8", stream([GOOD, Buffer.from('data: {"x":"\xff"}\n\n', "latin1")], 5)],
  [
    "an error",
    stream([GOOD, 'data: {"error":{"message":"it broke","type":"server_error","code":500}}\n\n', DONE_FRAME], 5),
  ],
  ["an error of another shape", stream([GOOD, 'data: {"error":"it broke","code":"x"}\n\n'], 5)],
  ["an endless line", stream([GOOD, "data: ", LINE], 5)],
];

describe("in the middle of a stream", () => {
  it.each(LATE_LIES)("%s ends it in-band, bills what was delivered and says so", async (_name, act) => {
    provider.next(act);
    const response = await postern.chat({ ...CHAT, stream: true });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text.startsWith(GOOD)).toBe(true);
    expect(text).not.toContain("[DONE]");
    const frames = text.split("\n\n").filter((frame) => frame.startsWith("data: "));
    for (const frame of frames) JSON.parse(frame.slice("data: ".length));
    const last = JSON.parse(frames.at(-1)?.slice("data: ".length) ?? "") as {
      error: { type: string; code: string; message: string; param: null };
    };
    expect(Object.keys(last.error).toSorted()).toEqual(["code", "message", "param", "type"]);
    expect(last.error.type).toBe("upstream_error");
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({
      outcome: "interrupted",
      status: 200,
      code: "upstream_error",
      estimated: true,
      stream: true,
    });
    expect(receipt.nano).toBeGreaterThan(0);
    expect(provider.chats).toHaveLength(1);
  });
});

/** A finish reason has passed: the response is whole, whatever the provider does next. */
const FINISHED: readonly (readonly [string, Act])[] = [
  ["no end mark", stream([GOOD, FINISH_FRAME])],
  ["a cut", streamThenCut([GOOD, FINISH_FRAME])],
  ["a reset", streamThenCut([GOOD, FINISH_FRAME], true)],
  ["half a usage frame", stream([GOOD, FINISH_FRAME, `data: ${chunkText({}, { choices: [] }).slice(0, 40)}`])],
  ["half a usage frame and a cut", streamThenCut([GOOD, FINISH_FRAME, 'data: {"usa'])],
  ["frames behind the end mark", stream([GOOD, FINISH_FRAME, DONE_FRAME, GOOD, "garbage"])],
  ["an end mark in quotes", stream([GOOD, FINISH_FRAME, 'data: "[DONE]"\n\n'])],
  ["an end mark without a space", stream([GOOD, FINISH_FRAME, "data:[DONE]\n\n"])],
  ["an end mark without a blank line", stream([GOOD, FINISH_FRAME, "data: [DONE]"])],
];

describe("after the finish of a stream", () => {
  it.each(FINISHED)("%s changes nothing: the stream is complete and has one end mark", async (_name, act) => {
    provider.next(act);
    const text = await (await postern.chat({ ...CHAT, stream: true })).text();
    expect(text).toBe(GOOD + FINISH_FRAME + DONE_FRAME);
    expect(await postern.receipt()).toMatchObject({ outcome: "completed", code: null, estimated: true });
  });

  it("a provider that never ends does not hold the client or its own connection", async () => {
    provider.next(async (exchange) => {
      exchange.outgoing.writeHead(200, { "content-type": "text/event-stream" });
      exchange.outgoing.write(GOOD + FINISH_FRAME + DONE_FRAME);
      while (!exchange.outgoing.destroyed) {
        exchange.outgoing.write(GOOD);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    const text = await (await postern.chat({ ...CHAT, stream: true })).text();
    expect(text).toBe(GOOD + FINISH_FRAME + DONE_FRAME);
    expect(await provider.last.aborted).toBeGreaterThan(0);
  });
});

it("a stream of two answers that is cut when only one has its finish is not complete", async () => {
  const other = `data: ${chunkText({}, { choices: [{ index: 1, delta: { content: "Other" }, finish_reason: null }] })}\n\n`;
  provider.next(streamThenCut([GOOD, other, FINISH_FRAME]));
  const text = await (await postern.chat({ ...CHAT, stream: true, n: 2 })).text();
  expect(text).not.toContain("[DONE]");
  expect(await postern.receipt()).toMatchObject({ outcome: "interrupted", code: "upstream_error" });
});

it("a response after a byte order mark is one, and is passed on without it", async () => {
  provider.next(respond(200, `\uFEFF${whole}`));
  const response = await postern.chat();
  expect(Buffer.from(await response.arrayBuffer()).toString("utf8")).toBe(whole);
  expect(await postern.receipt()).toMatchObject({ outcome: "completed", estimated: false });
});

it("an error after a byte order mark is reported in the provider's words", async () => {
  provider.next(
    respond(400, `\uFEFF${JSON.stringify({ error: { message: "Too odd.", type: "invalid_request_error" } })}`),
  );
  expect(await (await postern.chat()).json()).toMatchObject({ error: { message: "Too odd." } });
});
