import type { Socket } from "node:net";
import { expect, it } from "vitest";
import { open, request, sendRaw } from "../../support/raw-http.ts";
import { KEY, until } from "../../support/running-gateway.ts";
import { useGateway } from "../../support/use-gateway.ts";

const postern = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));

const host = (): string => `Host: 127.0.0.1:${postern.port}`;
const AUTH = `Authorization: Bearer ${KEY}`;
const JSON_TYPE = "Content-Type: application/json";
const FORM_TYPE = "Content-Type: multipart/form-data; boundary=b";
const HUGE = "Content-Length: 1000000000";
const CHUNKED = "Transfer-Encoding: chunked";

/** Requests that are refused while their body is still on its way. */
const REFUSED: readonly (readonly [string, string, readonly string[], number])[] = [
  ["without a key", "POST /v1/chat/completions", [JSON_TYPE, HUGE], 401],
  ["without a key, in chunks", "POST /v1/chat/completions", [JSON_TYPE, CHUNKED], 401],
  ["with an unknown key", "POST /v1/messages", ["x-api-key: sk-unknown", JSON_TYPE, HUGE], 401],
  ["with two keys", "POST /v1/messages", [AUTH, AUTH, JSON_TYPE, HUGE], 400],
  ["on the tool server without a key", "POST /mcp", [JSON_TYPE, HUGE], 401],
  ["of another type", "POST /v1/embeddings", [AUTH, "Content-Type: text/plain", HUGE], 415],
  ["in a coding that nobody knows", "POST /v1/responses", [AUTH, JSON_TYPE, "Content-Encoding: rot13", CHUNKED], 415],
  ["too large", "POST /v1/chat/completions", [AUTH, JSON_TYPE, HUGE], 413],
  ["too large a form", "POST /v1/images/edits", [AUTH, FORM_TYPE, HUGE], 413],
  [
    "from a page of another site",
    "POST /v1/images/edits",
    [AUTH, "Origin: https://evil.example", FORM_TYPE, HUGE],
    403,
  ],
  ["across sites", "POST /v1/images/edits", [AUTH, "Sec-Fetch-Site: cross-site", FORM_TYPE, HUGE], 403],
  ["at an address that is none", "POST /v1/nothing", [AUTH, JSON_TYPE, HUGE], 404],
  ["at a page", "POST /", [HUGE], 405],
  ["at a page that is none", "PUT /nothing", [HUGE], 404],
  ["with another method", "PATCH /v1/models", [AUTH, HUGE], 405],
  ["on the control API without its bearer", "POST /control/keys", [JSON_TYPE, HUGE], 401],
  ["on the control API with a local key", "POST /control/session", [AUTH, JSON_TYPE, HUGE], 401],
  ["on the control API, of another type", "POST /control/session", ["Content-Type: text/plain", HUGE], 415],
];

/** Sends a head and then, until the server closes, one byte after another. */
async function dribble(line: string, headers: readonly string[]): Promise<string> {
  const socket = await open(postern.port);
  let text = "";
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.write(request(`${line} HTTP/1.1`, [host(), ...headers]));
  const more = setInterval(() => socket.write(headers.includes(CHUNKED) ? "1\r\nx\r\n" : "x"), 50);
  try {
    await until(() => socket.closed, 10_000);
  } finally {
    clearInterval(more);
    socket.destroy();
  }
  return text;
}

it.each(REFUSED)(
  "a body that goes on after its refusal is not waited for: %s",
  async (_name, line, headers, status) => {
    const text = await dribble(line, headers);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
    expect(text).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
    expect(text).toMatch(/\r\nx-request-id: /i);
  },
);

it("while paused, too", async () => {
  postern.gateway.pause();
  try {
    const text = await dribble("POST /v1/chat/completions", [AUTH, JSON_TYPE, HUGE]);
    expect(text).toMatch(/^HTTP\/1\.1 503 [^]*connection: close/i);
  } finally {
    postern.gateway.resume();
  }
});

it("a client that is refused before it has sent its body can read why", async () => {
  const response = await sendRaw(
    postern.port,
    request(
      "POST /v1/chat/completions HTTP/1.1",
      [host(), JSON_TYPE, "Content-Length: 3000000"],
      "x".repeat(3_000_000),
    ),
  );
  expect(response.status).toBe(401);
  expect(JSON.parse(response.body)).toMatchObject({ error: { code: "invalid_api_key" } });
});

it("what was sent after a refused body is no request", async () => {
  const after = request("GET /health HTTP/1.1", [host()]);
  const response = await sendRaw(
    postern.port,
    request("POST /v1/chat/completions HTTP/1.1", [host(), JSON_TYPE, HUGE], after + after),
  );
  expect(response.text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
});

it("the connection stays where there was no body, or all of it was read", async () => {
  const socket: Socket = await open(postern.port);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const statuses = (): string[] => text.match(/HTTP\/1\.1 \d+/g) ?? [];
  for (const [index, sent] of [
    request("GET /v1/models HTTP/1.1", [host()]),
    request("GET /nothing HTTP/1.1", [host()]),
    request("POST /v1/chat/completions HTTP/1.1", [host(), AUTH, JSON_TYPE, "Content-Length: 2"], "{}"),
    request("POST /control/session HTTP/1.1", [host(), JSON_TYPE, "Content-Length: 15"], '{"token":"abc"}'),
    request("GET /health HTTP/1.1", [host(), "Content-Length: 0"]),
  ].entries()) {
    socket.write(sent);
    await until(() => statuses().length === index + 1, 5_000);
  }
  expect(text).not.toMatch(/connection: close/i);
  expect(statuses().map((status) => status.slice(-3))).toEqual(["401", "404", "400", "401", "200"]);
  socket.destroy();
});

/** One of each kind of response. */
const RESPONSES: readonly (readonly [string, string, readonly string[], string])[] = [
  ["a page that is not built", "GET /", [], ""],
  ["the root, asked for its head", "HEAD /", [], ""],
  ["health", "GET /health", [], ""],
  ["the interface", "GET /openapi", [], ""],
  ["the interface as data", "GET /openapi.json", [], ""],
  ["a list", "GET /v1/models", [AUTH], ""],
  ["another method", "DELETE /health", [], ""],
  ["an unknown address", "GET /nothing", [], ""],
  ["a wrong host", "GET /health", [], "other"],
  ["a link that is none", "GET /media/x", [], ""],
  ["diagnostics that are none", "GET /diagnostics/x", [], ""],
  ["the control API", "GET /control/state", [], ""],
  ["an expectation", "GET /health", ["Expect: the-unexpected"], ""],
  ["a WebSocket", "GET /v1/realtime", ["Connection: Upgrade", "Upgrade: websocket"], ""],
  ["a tunnel", "CONNECT example.com:443", [], ""],
  ["a head that is too large", "GET /health", [`X: ${"x".repeat(17_000)}`], ""],
  ["what is not HTTP", "GET /health HTTP/9.9", [], ""],
  ["the tool server", "GET /mcp", [], ""],
];

it.each(RESPONSES)("no browser guesses the type of %s", async (_name, line, headers, other) => {
  const whole = / HTTP\//.test(line) ? line : `${line} HTTP/1.1`;
  const response = await sendRaw(
    postern.port,
    request(whole, [other === "" ? host() : "Host: evil.example", ...headers, "Connection: close"]),
    2_000,
  );
  expect(response.status).toBeGreaterThan(0);
  expect(response.headers["x-content-type-options"]).toBe("nosniff");
});

it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])("%s is not for pages", async (method) => {
  for (const path of ["/", "/health", "/openapi", "/openapi.json"]) {
    const response = await sendRaw(postern.port, request(`${method} ${path} HTTP/1.1`, [host()]));
    expect([path, response.status, response.headers["allow"]]).toEqual([path, 405, "GET, HEAD"]);
  }
});

it("one Authorization header is enough, whatever the second says", async () => {
  for (const second of [AUTH, "authorization: Bearer sk-other", "AUTHORIZATION: Basic YTpi", "Authorization:"]) {
    for (const path of ["/v1/models", "/mcp", "/control/state"]) {
      const response = await sendRaw(postern.port, request(`GET ${path} HTTP/1.1`, [host(), AUTH, second]));
      expect([path, second, response.status]).toEqual([path, second, 400]);
      expect(response.body).toContain("conflicting_credentials");
    }
  }
});

it("a local key opens no session of the pages", async () => {
  for (const [headers, body] of [
    [[AUTH], "{}"],
    [[AUTH], JSON.stringify({ token: postern.gateway.issuePageToken() })],
    [[], JSON.stringify({ token: KEY })],
  ] as const) {
    const response = await sendRaw(
      postern.port,
      request(
        "POST /control/session HTTP/1.1",
        [host(), ...headers, JSON_TYPE, `Content-Length: ${body.length}`],
        body,
      ),
    );
    expect(response.status).toBe(401);
    expect(response.body).toContain("invalid_control_token");
  }
});
