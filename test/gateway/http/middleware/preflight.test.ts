import { describe, expect, it } from "vitest";
import { request, sendRaw } from "../../../support/raw-http.ts";
import { CHAT, KEY, until } from "../../../support/running-gateway.ts";
import { useGateway } from "../../../support/use-gateway.ts";

const ALLOWED =
  "app://obsidian.md,vscode-webview://*,file://,tauri://localhost,http://tauri.localhost,chrome-extension://abc";
const postern = useGateway(() => ({ env: { POSTERN_SANDBOX: "on", POSTERN_ALLOWED_ORIGINS: ALLOWED } }));

/** A request as a window sends it, over a bare socket: fetch would leave such headers out. */
function send(line: string, headers: readonly string[], body = "") {
  const all = [
    `Host: 127.0.0.1:${postern.port}`,
    "Connection: close",
    ...headers,
    ...(body === "" ? [] : [`Content-Length: ${body.length}`]),
  ];
  return sendRaw(postern.port, request(`${line} HTTP/1.1`, all, body));
}

const AUTH = [`Authorization: Bearer ${KEY}`, "Content-Type: application/json"];
const PREFLIGHT = ["Access-Control-Request-Method: POST", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors"];
const ORIGINS = [
  "app://obsidian.md",
  "vscode-webview://1sq3hk2v",
  "null",
  "file://",
  "tauri://localhost",
  "http://tauri.localhost",
  "chrome-extension://abc",
];

describe.each(ORIGINS)("a window of %s", (origin) => {
  const from = [`Origin: ${origin}`, "Sec-Fetch-Site: cross-site"];

  it("is reported before the call that it may send a key", async () => {
    const requests = ["Access-Control-Request-Headers: authorization,content-type,x-stainless-os"];
    const { status, headers, body } = await send("OPTIONS /v1/chat/completions", [
      `Origin: ${origin}`,
      ...PREFLIGHT,
      ...requests,
    ]);
    expect([status, body]).toEqual([204, ""]);
    expect(headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-headers": "authorization,content-type,x-stainless-os",
      "access-control-allow-methods": expect.stringContaining("POST"),
      "access-control-max-age": "7200",
      vary: expect.stringContaining("Origin"),
    });
    expect(headers["access-control-allow-private-network"]).toBeUndefined();
  });

  it.each([
    ["GET /v1/models", AUTH, "", 200],
    ["POST /v1/chat/completions", AUTH, JSON.stringify(CHAT), 200],
    ["POST /v1/chat/completions", AUTH, JSON.stringify({ ...CHAT, stream: true }), 200],
    ["POST /v1/chat/completions", AUTH, "{", 400],
    ["POST /v1/chat/completions", [], "", 401],
    ["GET /v1/nothing", AUTH, "", 404],
    ["PUT /v1/models", AUTH, "", 405],
    ["GET /mcp", AUTH, "", 400],
    ["GET /health", [], "", 200],
  ])("may read the response to %s", async (line, headers, body, status) => {
    const response = await send(line, [...from, ...headers], body);
    expect(response.status, response.body).toBe(status);
    expect(response.headers).toMatchObject({ "access-control-allow-origin": origin, vary: "Origin" });
    expect(response.headers["access-control-expose-headers"]).toContain("x-request-id");
  });

  it.each(["GET /", "GET /control/state", "POST /control/session", "OPTIONS /control/session", "OPTIONS /"])(
    "may not ask for %s",
    async (line) => {
      const { status, body, headers } = await send(line, [...from, ...PREFLIGHT.slice(0, 1)]);
      expect([status, body]).toEqual([403, expect.stringContaining("forbidden_origin")]);
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    },
  );
});

it("a network of one's own is allowed where the browser asks for it", async () => {
  const requests = ["Origin: app://obsidian.md", ...PREFLIGHT, "Access-Control-Request-Private-Network: true"];
  const { headers } = await send("OPTIONS /v1/models", requests);
  expect(headers).toMatchObject({ "access-control-allow-private-network": "true" });
  expect(headers["access-control-allow-headers"]).toBeUndefined();
});

it.each([
  ["no origin", []],
  ["another origin", ["Origin: app://evil"]],
  ["an allowed and another origin", ["Origin: app://obsidian.md", "Origin: app://evil"]],
  ["an allowed origin twice", ["Origin: app://obsidian.md", "Origin: app://obsidian.md"]],
  ["an allowed origin and a hostile host", ["Origin: app://obsidian.md", "Host: evil.example"]],
])("%s gets no headers of CORS", async (_name, origins) => {
  const { status, headers } = await send("OPTIONS /v1/models", [...origins, ...PREFLIGHT]);
  expect(status).toBe(403);
  expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
});

it("names the origin that it refuses, and where to allow it", async () => {
  const { body } = await send("GET /v1/models", [...AUTH, "Origin: app://other"]);
  expect(body).toMatch(/app:\/\/other.*POSTERN_ALLOWED_ORIGINS/);
});

it("says why it refuses a call while Postern is paused", async () => {
  postern.gateway.pause();
  try {
    expect((await send("OPTIONS /v1/models", ["Origin: file://", ...PREFLIGHT])).status).toBe(204);
    const { status, headers } = await send("GET /v1/models", ["Origin: file://", ...AUTH]);
    expect([status, headers["access-control-allow-origin"]]).toEqual([503, "file://"]);
  } finally {
    postern.gateway.resume();
    await until(() => postern.gateway.state().status === "running");
  }
});

it("tells caches that a response differs by origin", async () => {
  expect((await send("GET /v1/models", AUTH)).headers["vary"]).toBe("Origin");
});
