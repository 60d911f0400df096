import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startProvider, type MockProvider } from "../../../support/mock-provider.ts";
import { CHAT, KEY, errorOf, startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { open } from "../../../support/raw-http.ts";

const MIB = 1024 * 1024;
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

const deep = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const chat = JSON.stringify(CHAT);

const table: readonly (readonly [string, string | Buffer, number, string])[] = [
  ["nothing", "", 400, "invalid_json"],
  ["half an object", chat.slice(0, -5), 400, "invalid_json"],
  ["two objects", `${chat}${chat}`, 400, "invalid_json"],
  ["single quotes", "{'model':'x'}", 400, "invalid_json"],
  ["NaN", '{"model":"gpt-4.1","temperature":NaN}', 400, "invalid_json"],
  ["a comment", `// hello\n${chat}`, 400, "invalid_json"],
  ["HTML", "<html></html>", 400, "invalid_json"],
  ["bytes that are not UTF-8", Buffer.from(chat.replace("hello", "\xff\xfe"), "latin1"), 400, "invalid_json"],
  ["UTF-16", Buffer.from(chat, "utf16le"), 400, "invalid_json"],
  ["a depth bomb", `{"model":"gpt-4.1","messages":${deep(1_000)}}`, 400, "invalid_json"],
  ["a deeper depth bomb than any stack", `{"model":"gpt-4.1","messages":${deep(500_000)}}`, 400, "invalid_json"],
  [
    "a depth bomb of objects in an unknown field",
    `{"x":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)},${chat.slice(1)}`,
    400,
    "invalid_json",
  ],
  ["an array", "[]", 400, "invalid_body"],
  ["a number", "42", 400, "invalid_body"],
  ["null", "null", 400, "invalid_body"],
  ["a text", '"hello"', 400, "invalid_body"],
];

it.each(table)("%s is a clear error and the provider is not called", async (_name, body, status, code) => {
  const response = await postern.chat(body);
  expect(response.status).toBe(status);
  const error = await errorOf(response);
  expect(error).toMatchObject({ code, type: "invalid_request_error" });
  expect(error.message).toMatch(/\w.*\.$/s);
  expect(error.message.length).toBeLessThan(400);
  expect(provider.chats).toHaveLength(0);
});

it.each([
  ["text/plain"],
  ["application/x-www-form-urlencoded"],
  ["multipart/form-data; boundary=x"],
  ["application/jsonp"],
])("a body of type %s is refused", async (type) => {
  const response = await postern.chat(chat, KEY, { headers: { "content-type": type } });
  expect(response.status).toBe(415);
  expect((await errorOf(response)).code).toBe("unsupported_media_type");
});

it.each([["application/json; charset=utf-8"], ["Application/JSON"], ["application/vnd.api+json"]])(
  "a body of type %s is taken",
  async (type) => {
    expect((await postern.chat(chat, KEY, { headers: { "content-type": type } })).status).toBe(200);
  },
);

it("keeps prototype keys plain data", async () => {
  const body = `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},${chat.slice(1)}`;
  expect((await postern.chat(body)).status).toBe(200);
  expect(provider.last.body.toString("utf8")).toBe(body);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  const changed = `{"__proto__":{"polluted":1},"model":"o3","temperature":0.5,"messages":[{"role":"user","content":"x","__proto__":{"a":1}}]}`;
  expect((await postern.chat(changed)).status).toBe(200);
  expect(provider.last.body.toString("utf8")).toContain('"__proto__":{"polluted":1}');
  for (const model of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    expect((await postern.chat({ ...CHAT, model })).status).toBe(404);
  }
});

/** Brotli packs quickly: at its usual quality a bomb takes seconds. */
const packBrotli = (text: string | Buffer): Buffer =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });
const PACKERS = { gzip: gzipSync, deflate: deflateSync, br: packBrotli, zstd: zstdCompressSync } as const;

it.each(Object.entries(PACKERS))("a body packed with %s is unpacked for the provider", async (coding, pack) => {
  const response = await postern.chat(pack(chat), KEY, { headers: { "content-encoding": coding } });
  expect(response.status).toBe(200);
  expect(provider.last.body.toString("utf8")).toBe(chat);
  expect(provider.last.headers["content-encoding"]).toBeUndefined();
});

it.each(Object.entries(PACKERS))("a bomb packed with %s is stopped at the limit", async (coding, pack) => {
  const bomb = pack(Buffer.alloc(64 * MIB, 32));
  expect(bomb.length).toBeLessThan(MIB);
  const before = process.memoryUsage.rss();
  const response = await postern.chat(bomb, KEY, { headers: { "content-encoding": coding } });
  expect(response.status).toBe(413);
  expect((await errorOf(response)).code).toBe("request_too_large");
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MIB);
  expect(provider.chats).toHaveLength(0);
});

it("refuses what does not unpack, and codings and chains that no one needs", async () => {
  const cases: readonly (readonly [string, Buffer, number, string])[] = [
    ["gzip", Buffer.from(chat), 400, "invalid_body"],
    ["gzip", gzipSync(chat).subarray(0, 30), 400, "invalid_body"],
    ["gzip, gzip", gzipSync(gzipSync(chat)), 415, "unsupported_media_type"],
    ["compress", Buffer.from(chat), 415, "unsupported_media_type"],
    ["toString", Buffer.from(chat), 415, "unsupported_media_type"],
  ];
  for (const [coding, body, status, code] of cases) {
    const response = await postern.chat(body, KEY, { headers: { "content-encoding": coding } });
    expect(`${coding} ${response.status} ${(await errorOf(response)).code}`).toBe(`${coding} ${status} ${code}`);
  }
});

/** Sends a head and then zeros until the server stops taking them; says what came back and how much it took. */
async function flood(
  headers: readonly string[],
  chunked: boolean,
): Promise<{ text: string; sent: number; closed: boolean }> {
  const socket = await open(postern.port);
  let text = "";
  socket.on("data", (part) => (text += String(part)));
  socket.on("error", () => {});
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${postern.port}\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n${headers.join("\r\n")}\r\n\r\n`,
  );
  const piece = Buffer.alloc(65_536, 32);
  const framed = chunked ? Buffer.concat([Buffer.from("10000\r\n"), piece, Buffer.from("\r\n")]) : piece;
  let sent = 0;
  while (!socket.closed && sent < 60 * MIB) {
    sent += piece.length;
    if (!socket.write(framed))
      await new Promise<void>((resolve) => socket.once("drain", resolve).once("close", resolve));
  }
  const { closed } = socket;
  socket.destroy();
  return { text, sent: Math.min(sent, 60 * MIB), closed };
}

it("33 MiB by Content-Length are answered 413 at once and the connection is closed", async () => {
  const { text, sent, closed } = await flood([`Content-Length: ${33 * MIB}`], false);
  expect(text).toMatch(/^HTTP\/1\.1 413/);
  expect(text).toContain('"code":"request_too_large"');
  expect(closed).toBe(true);
  // What the kernel buffered on both sides was sent, but no one read it.
  expect(sent).toBeLessThan(12 * MIB);
  expect((await postern.chat()).status).toBe(200);
});

it("33 MiB in chunks are answered 413 at the limit and the connection is closed", async () => {
  const { text, sent, closed } = await flood(["Transfer-Encoding: chunked"], true);
  expect(text).toMatch(/^HTTP\/1\.1 413/);
  expect(closed).toBe(true);
  expect(sent).toBeLessThan(44 * MIB);
  expect(provider.chats).toHaveLength(0);
});

it("a client that sends a body that is too large gets to read why", async () => {
  const response = await postern.chat(Buffer.alloc(33 * MIB, 32));
  expect(response.status).toBe(413);
  expect((await errorOf(response)).code).toBe("request_too_large");
});

it("takes a body just below the limit", async () => {
  const filler = "x".repeat(31 * MIB);
  const response = await postern.chat({
    ...CHAT,
    messages: [{ role: "user", content: filler }],
    model: "provider-model",
  });
  expect(response.status).toBe(200);
  expect(provider.last.body.length).toBeGreaterThan(31 * MIB);
});

it("forgets a request whose client leaves in the middle of the body", async () => {
  const socket = await open(postern.port);
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${postern.port}\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"model"`,
  );
  socket.destroySoon();
  expect((await postern.chat()).status).toBe(200);
  expect(provider.chats).toHaveLength(1);
});

it.each([
  ["32 million arrays in each other", Buffer.alloc(30 * MIB, "["), /nested more than 64 levels/],
  [
    "10 million empty arrays",
    Buffer.from(`[${"[],".repeat(10_000_000)}[]]`),
    /more than 250000 objects, arrays and texts/,
  ],
  [
    "2 million names",
    Buffer.from(`{${'"a":1,'.repeat(2_000_000)}"a":1}`),
    /more than 250000 objects, arrays and texts/,
  ],
])("%s are refused before they are parsed", async (_name, bomb, message) => {
  const response = await postern.chat(bomb);
  expect(response.status).toBe(400);
  const error = await errorOf(response);
  expect(error.code).toBe("invalid_json");
  expect(error.message).toMatch(message);
});

it("takes a body of many numbers: tokens of a long text", async () => {
  const tokens = `{"model":"no-such-model","input":[${"1000,".repeat(3_000_000)}1]}`;
  expect((await postern.chat(tokens)).status).toBe(400);
  expect((await errorOf(await postern.chat(tokens))).code).not.toBe("invalid_json");
});
