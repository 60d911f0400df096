import { networkInterfaces } from "node:os";
import { connect } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getArea } from "../../../gateway/http/area.ts";
import { request, sendRaw } from "../../support/raw-http.ts";
import { CHAT, KEY } from "../../support/running-gateway.ts";
import { needs } from "../../support/needs.ts";
import { useGateway, useProvider } from "../../support/use-gateway.ts";

it.each([
  ["/v1", "v1"],
  ["/v1/", "v1"],
  ["/v1/chat/completions", "v1"],
  ["/v1//", "v1"],
  ["/mcp", "mcp"],
  ["/health", "shared"],
  ["/openapi", "shared"],
  ["/openapi.json", "shared"],
  ["/openapi.css", "shared"],
  ["/media/abc", "shared"],
  ["/media/abc/poster", "shared"],
  ["/media/export/abc", "own"],
  ["/media", "own"],
  ["/", "own"],
  ["/control/state", "own"],
  ["/diagnostics/abc", "own"],
  ["/v1x", "own"],
  ["/V1/models", "own"],
  ["//v1/models", "v1"],
  ["/v1/v1/models", "v1"],
  ["/mcp/", "mcp"],
  ["//mcp", "mcp"],
  ["/media//export/abc", "own"],
  ["//control/state", "own"],
  ["/MCP", "own"],
  ["/health/", "shared"],
  ["/openapi.jsonx", "own"],
])("%s asks for %s", (path, area) => {
  expect(getArea(path)).toBe(area);
});

const provider = useProvider();
const postern = useGateway(() => ({ provider, host: "0.0.0.0" }));

const ROUTES = [
  ["POST", "/v1/chat/completions"],
  ["POST", "/v1/messages"],
  ["POST", "/v1/responses"],
  ["POST", "/v1/embeddings"],
  ["GET", "/v1/models"],
  ["GET", "/v1/models/gpt-4.1"],
  ["GET", "/v1/videos"],
  ["GET", "/v1/dashboard/billing/usage"],
  ["POST", "/mcp"],
  ["GET", "/control/state"],
  ["GET", "/openapi.json"],
] as const;

it.each([
  ["POST /mcp//", "/mcp"],
  ["POST //mcp", "/mcp"],
  ["GET /v1/models/", "/v1/models"],
  ["GET //v1/models", "/v1/models"],
  ["GET /v1//models", "/v1/models"],
  ["GET /v1/v1/models", "/v1/models"],
  ["POST /v1/chat/completions/", "/v1/chat/completions"],
  ["POST //v1///messages//", "/v1/messages"],
  ["GET /health/", "/health"],
  ["GET /openapi.json/", "/openapi.json"],
])("%s learns the right address", async (line, right) => {
  const { status, body } = await sendRaw(
    postern.port,
    request(`${line} HTTP/1.1`, [`Host: localhost:${postern.port}`]),
  );
  expect([status, body]).toEqual([404, expect.stringContaining(`Use ${right} instead.`)]);
});

it("the tool server is at /mcp/ too, for every method and with its key", async () => {
  const ask = async (method: string, key = KEY) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = method === "POST" ? { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' } : {};
    const response = await fetch(`${postern.url}/mcp/`, { method, headers, ...body });
    return `${response.status} ${(await response.text()).includes("jsonrpc")}`;
  };
  expect([await ask("POST"), await ask("GET"), await ask("DELETE")]).toEqual(["400 true", "400 true", "400 true"]);
  expect([await ask("PUT"), await ask("POST", "sk-wrong-key-of-no-one")]).toEqual(["405 true", "401 true"]);
});

const percent = (text: string): string => `%${text.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** What makes another spelling of an address out of one, at a place in it. */
const SPELLINGS: readonly ((path: string, at: number) => string)[] = [
  (path) => path,
  (path, at) => path.slice(0, at) + path.slice(at).toUpperCase(),
  (path, at) => path.slice(0, at) + (path[at] ?? "").toUpperCase() + path.slice(at + 1),
  (path, at) => path.slice(0, at) + percent(path[at] ?? "/") + path.slice(at + 1),
  (path, at) => `${path.slice(0, at)}/${path.slice(at)}`,
  (path, at) => `${path.slice(0, at)}/./${path.slice(at)}`,
  (path, at) => `${path.slice(0, at)}/x/../${path.slice(at)}`,
  (path, at) => `${path.slice(0, at)}%2e%2e/${path.slice(at)}`,
  (path, at) => `${path.slice(0, at)};x=1${path.slice(at)}`,
  (path, at) => `${path.slice(0, at)}\\${path.slice(at + 1)}`,
  (path, at) => `${path.slice(0, at)}#${path.slice(at)}`,
  (path, at) => `${path.slice(0, at)}%00${path.slice(at)}`,
  (path, at) => `${path.slice(0, at)}\u00a0${path.slice(at)}`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `${path}%2F`,
  (path) => `${path}#`,
  (path) => `${path}?x=/v1`,
  (path) => `${path}.`,
  (path) => path.replaceAll("/", "\\").replace("\\", "/"),
  (path) => path.replaceAll("/", "//"),
];

const spelled = fc
  .record({
    route: fc.constantFrom(...ROUTES),
    changes: fc.array(fc.tuple(fc.nat(SPELLINGS.length - 1), fc.nat(30)), { minLength: 1, maxLength: 3 }),
  })
  .map(({ route: [method, path], changes }) => ({
    method,
    path: changes.reduce((text, [how, at]) => SPELLINGS[how]?.(text, 1 + (at % text.length)) ?? text, path as string),
  }));

const BODY = JSON.stringify({ ...CHAT, max_tokens: 5, input: "x" });

/** Sends a request in whatever spelling, as no client library would. */
async function ask({ method, path }: { method: string; path: string }, headers: readonly string[]) {
  const body = method === "POST" ? BODY : "";
  const lines = [`Host: 127.0.0.1:${postern.port}`, "Connection: close", "Content-Type: application/json", ...headers];
  const sent = request(`${method} ${path} HTTP/1.1`, [...lines, `Content-Length: ${body.length}`], body);
  return sendRaw(postern.port, Buffer.from(sent, "latin1"));
}

const AUTH = `Authorization: Bearer ${KEY}`;
const RUNS = { numRuns: 300 };

describe("whatever an address is spelled like", () => {
  it("nothing is asked of a provider while Postern is paused", async () => {
    provider.reset();
    postern.gateway.pause();
    try {
      await fc.assert(
        fc.asyncProperty(spelled, async (target) => {
          const { status } = await ask(target, [AUTH]);
          const open = target.path.startsWith("/openapi") || target.path.startsWith("/control");
          expect(open ? [200, 400, 401, 404] : [400, 404, 405, 503]).toContain(status);
        }),
        RUNS,
      );
    } finally {
      postern.gateway.resume();
    }
    expect(provider.chats).toHaveLength(0);
  });

  it("nothing but the interface is reported without a key, and no error is ours", async () => {
    await fc.assert(
      fc.asyncProperty(spelled, async (target) => {
        const { status, body } = await ask(target, []);
        expect([200, 400, 401, 404, 405]).toContain(status);
        // The document, or its page: `/openapi#.json` asks for that.
        if (status === 200) expect(body).toMatch(/"openapi"|href="\/openapi\.json"/);
      }),
      RUNS,
    );
    expect(provider.chats).toHaveLength(0);
  });

  it("a response is that of the route to the letter, or that there is nothing", async () => {
    await fc.assert(
      fc.asyncProperty(spelled, async (target) => {
        const { status, headers, body } = await ask(target, [AUTH, "anthropic-version: 2023-06-01"]);
        expect(status).toBeLessThan(500);
        expect(headers["x-request-id"] ?? "req_raw").toMatch(/^req_/);
        expect(body).not.toMatch(/node:internal|\bat .*\.[cm]?[jt]s:\d+/);
      }),
      RUNS,
    );
  });
});

/** An address of this machine on a network: from there to loopback a call looks like one of another machine. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry?.family === "IPv4" && !entry.internal)?.address;

it.skipIf(outside === undefined)(
  "other machines get no page and no control operation in any spelling",
  needs("an address outside of loopback"),
  async () => {
    const fromOutside = (method: string, path: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect({ port: postern.port, host: "127.0.0.1", localAddress: outside as string });
        let text = "";
        socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
        socket.on("error", () => {});
        socket.on("close", () => resolve(text));
        const headers = [`Host: 127.0.0.1:${postern.port}`, "Connection: close"];
        socket.write(Buffer.from(request(`${method} ${path} HTTP/1.1`, headers), "latin1"));
      });
    await fc.assert(
      fc.asyncProperty(spelled, async ({ method, path }) => {
        const text = await fromOutside(method, path);
        const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
        if (getArea(path.split("?", 1)[0] ?? "") === "own" && !/[#\u00a0]/.test(path)) expect(status).toBe(403);
        else expect([200, 400, 401, 403, 404, 405]).toContain(status);
      }),
      { numRuns: 150 },
    );
  },
);
