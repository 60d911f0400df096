import { describe, expect, it } from "vitest";
import { anthropicErrorSchema, nestedErrorSchema } from "../../../gateway/contract/errors.ts";
import { KEY } from "../../support/running-gateway.ts";
import { request, sendRaw } from "../../support/raw-http.ts";
import { useGateway } from "../../support/use-gateway.ts";

const postern = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));

const send = (line: string, headers: readonly string[] = [], body = "") =>
  sendRaw(postern.port, request(line, [`Host: 127.0.0.1:${postern.port}`, ...headers], body));

const codeOf = (body: string): string | undefined => (JSON.parse(body) as { error?: { code?: string } }).error?.code;

it("answers HEAD / without a key", async () => {
  const response = await send("HEAD / HTTP/1.1", ["Connection: close"]);
  expect(response.status).toBe(200);
  expect(response.body).toBe("");
});

it("says that it is alive, and nothing else, to strangers", async () => {
  const response = await send("GET /health HTTP/1.1", ["Connection: close"]);
  expect(JSON.parse(response.body)).toEqual({ status: "ok" });
  expect(response.headers).not.toHaveProperty("server");
  expect(response.headers).not.toHaveProperty("x-powered-by");
  expect(response.text).not.toMatch(/postern|koa|node|0\.0\.0-test/i);
});

it("refuses WebSockets with 426", async () => {
  const headers = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: AAAA", "Sec-WebSocket-Version: 13"];
  const response = await send("GET /v1/realtime HTTP/1.1", headers);
  expect(response.status).toBe(426);
  expect(codeOf(response.body)).toBe("upgrade_refused");
  expect(response.closed).toBe(true);
});

it("answers over HTTP/1.1 a client that only offers HTTP/2, as Java's does with every request", async () => {
  const body = JSON.stringify({ model: "gpt-4.1", messages: [{ role: "user", content: "Hello." }] });
  const response = await send(
    "POST /v1/chat/completions HTTP/1.1",
    [
      "Connection: Upgrade, HTTP2-Settings",
      "Upgrade: h2c",
      "HTTP2-Settings: AAEAAEAAAAIAAAAB",
      `Authorization: Bearer ${KEY}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ],
    body,
  );
  expect(response.status).toBe(200);
});

it("is no forward proxy", async () => {
  const response = await send("CONNECT example.com:443 HTTP/1.1");
  expect(response.status).toBe(405);
  expect(codeOf(response.body)).toBe("method_not_allowed");
});

it("never echoes a request", async () => {
  for (const path of ["/", "/health", "/v1/models"]) {
    const response = await send(`TRACE ${path} HTTP/1.1`, ["X-Secret: do-not-echo", `Authorization: Bearer ${KEY}`]);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.text).not.toContain("do-not-echo");
  }
});

it.each([
  ["POST", "/v1/models", "GET, HEAD"],
  ["DELETE", "/v1/models", "GET, HEAD"],
  ["GET", "/v1/chat/completions", "POST"],
])("says which methods %s %s would take", async (method, path, allowed) => {
  const response = await fetch(postern.url + path, { method, headers: { authorization: `Bearer ${KEY}` } });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")?.split(", ").toSorted().join(", ")).toBe(allowed);
});

it.each(["edits", "extensions", "characters"])("knows no POST /v1/videos/%s, which is no id either", async (name) => {
  const response = await fetch(`${postern.url}/v1/videos/${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}` },
  });
  expect([response.status, codeOf(await response.text())]).toEqual([404, "unknown_url"]);
});

it.each([
  ["POST", "/v1/videos/vt_01JD8Q5T3Z6M4X9K2B7C0DEFGH"],
  ["PUT", "/v1/videos/generations"],
])("still says of %s %s that it takes other methods", async (method, path) => {
  const response = await fetch(postern.url + path, { method, headers: { authorization: `Bearer ${KEY}` } });
  expect(response.status).toBe(405);
});

describe("an address that is not here", () => {
  const ask = (path: string, headers: Readonly<Record<string, string>>) => fetch(postern.url + path, { headers });
  const VERSION = { "anthropic-version": "2023-06-01" };

  it.each(["/v1/files", "/v1/messages/batches", "/v1/organizations/x"])(
    "is reported in Anthropic's shape to its clients: %s",
    async (path) => {
      const response = await ask(path, { ...VERSION, "x-api-key": KEY });
      const { error, request_id } = anthropicErrorSchema.parse(await response.json());
      expect([response.status, error.type]).toEqual([404, "not_found_error"]);
      expect(response.headers.get("request-id")).toBe(request_id);
      expect((await ask(path, VERSION)).status).toBe(401);
    },
  );

  it("is reported in OpenAI's shape to others, as are errors of OpenAI's own operations", async () => {
    for (const [path, headers] of [
      ["/v1/files", {}],
      ["/v1/videos/vt_0", VERSION],
      ["/v1/chat/unknown", VERSION],
    ] as const) {
      const response = await ask(path, { authorization: `Bearer ${KEY}`, ...headers });
      expect([response.status, nestedErrorSchema.safeParse(await response.json()).success]).toEqual([404, true]);
      expect(response.headers.get("request-id")).toBeNull();
    }
    expect((await ask("/v1/chat/unknown", { ...VERSION, "x-api-key": KEY })).status).toBe(401);
  });
});

const SMUGGLED = "GET /health HTTP/1.1\r\nHost: smuggled\r\n\r\n";

/** Two ways to tell where a body ends: a front and a back that choose differently see different requests. */
const SMUGGLING: readonly (readonly [string, readonly string[], string])[] = [
  ["both lengths", ["Content-Length: 4", "Transfer-Encoding: chunked"], `0\r\n\r\n${SMUGGLED}`],
  ["two different lengths", ["Content-Length: 0", "Content-Length: 44"], SMUGGLED],
  ["a list of lengths", ["Content-Length: 0, 44"], SMUGGLED],
  ["a length with a sign", ["Content-Length: +0"], SMUGGLED],
  ["a negative length", ["Content-Length: -1"], SMUGGLED],
  ["a length in hexadecimal", ["Content-Length: 0x10"], SMUGGLED],
  ["an unknown coding", ["Transfer-Encoding: xchunked"], `0\r\n\r\n${SMUGGLED}`],
  ["chunked that is not last", ["Transfer-Encoding: chunked, identity"], `0\r\n\r\n${SMUGGLED}`],
  ["a space before the colon", ["Transfer-Encoding : chunked"], `0\r\n\r\n${SMUGGLED}`],
  ["a folded header", ["X: a\r\n Transfer-Encoding: chunked"], `0\r\n\r\n${SMUGGLED}`],
  ["a bare line feed in the head", ["X: a\nTransfer-Encoding: chunked"], `0\r\n\r\n${SMUGGLED}`],
  ["a chunk size with garbage", ["Transfer-Encoding: chunked"], `0x0\r\n\r\n${SMUGGLED}`],
  ["a null byte in a header", ["X: a\0b"], SMUGGLED],
];

it.each(SMUGGLING)("refuses %s and closes", async (_name, headers, body) => {
  const response = await send(
    "POST /v1/chat/completions HTTP/1.1",
    [...headers, `Authorization: Bearer ${KEY}`, "Content-Type: application/json"],
    body,
  );
  expect(response.status).toBe(400);
  expect(response.closed).toBe(true);
  expect(response.text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
});

it("answers headers beyond 16 KiB with 431", async () => {
  for (const headers of [
    [`X-Long: ${"x".repeat(17_000)}`],
    Array.from({ length: 1_000 }, (_, i) => `X-${i}: ${"y".repeat(20)}`),
  ]) {
    const response = await send("GET /health HTTP/1.1", headers);
    expect(response.status).toBe(431);
    expect(codeOf(response.body)).toBe("headers_too_large");
  }
  expect((await send(`GET /${"p".repeat(17_000)} HTTP/1.1`)).status).toBe(431);
});

it("answers what is not HTTP with 400 and lives on", async () => {
  for (const bytes of [
    "\x16\x03\x01\x02\x00\x01\x00",
    "GET\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
  ]) {
    const response = await sendRaw(postern.port, bytes);
    expect([400, 0]).toContain(response.status);
    expect(response.closed).toBe(true);
  }
  expect((await send("GET /health HTTP/1.1")).status).toBe(200);
});

it("serves several requests that come at once on one connection, in their order", async () => {
  const one = request("GET /health HTTP/1.1", [`Host: 127.0.0.1:${postern.port}`]);
  const last = request("GET /nothing HTTP/1.1", [`Host: 127.0.0.1:${postern.port}`, "Connection: close"]);
  const response = await sendRaw(postern.port, one + one + last, 1_000);
  expect(response.text.startsWith("HTTP/1.1 200")).toBe(true);
});

it("matches paths whatever the query says, and nothing outside of the known paths", async () => {
  const headers = [`Authorization: Bearer ${KEY}`];
  expect((await send("GET /v1/models?beta=true HTTP/1.1", headers)).status).toBe(200);
  for (const path of [
    "/v1/../etc/passwd",
    "/%2e%2e/secret.key",
    "/assets/../../package.json",
    "//evil.example/",
    "/v1%2Fmodels",
    "/.git/config",
  ]) {
    expect((await send(`GET ${path} HTTP/1.1`, headers)).status).toBe(404);
  }
});

it("asks for a body that is announced only when it will read it", async () => {
  const announced = (length: number, key = KEY): readonly string[] => [
    "Expect: 100-continue",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${length}`,
  ];
  const line = "POST /v1/chat/completions HTTP/1.1";
  expect((await send(line, announced(33 * 1024 * 1024))).text).toMatch(/^HTTP\/1\.1 413/);
  expect((await send(line, announced(100, "sk-unknown"))).text).toMatch(/^HTTP\/1\.1 401/);
  const foreign = await sendRaw(postern.port, request(line, ["Host: evil.example", ...announced(100)]));
  expect(foreign.text).toMatch(/^HTTP\/1\.1 403/);

  const body = JSON.stringify({ model: "gpt-4.1", messages: [{ role: "user", content: "Hello." }] });
  const good = await send(line, [...announced(body.length), "Connection: close"], body);
  expect(good.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/);
});
