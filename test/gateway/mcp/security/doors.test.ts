import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonRpcErrorSchema } from "../../../../gateway/contract/errors.ts";
import { open, request, sendRaw } from "../../../support/raw-http.ts";
import type { RawAnswer } from "../../../support/raw-http.ts";
import { KEY, startGateway } from "../../../support/running-gateway.ts";
import type { TestGateway } from "../../../support/running-gateway.ts";
import { INITIALIZE, NEW, OLD, begin, call, post, rpc, send, without } from "./wire.ts";

/** Who comes in at all: Host, Origin, keys, sessions of others, and requests that are no good HTTP. */

const OTHER = "sk-test-other-key-00000002";
const EXPIRED = "sk-test-expired-key-000003";
const DISABLED = "sk-test-disabled-key-00004";
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    env: { POSTERN_SANDBOX: "on" },
    keys: [
      { key: OTHER, name: "other" },
      { key: EXPIRED, name: "expired", expires_at: Date.now() - 1_000 },
      { key: DISABLED, name: "disabled" },
    ],
  });
  const { data } = await gateway.ask<{ data: { id: string; name: string }[] }>("GET", "/keys");
  const disabled = data.find(({ name }) => name === "disabled");
  await gateway.ask("PATCH", `/keys/${disabled?.id}`, { disabled: true });
});
afterAll(() => gateway.close());

const GOOD = [
  `Authorization: Bearer ${KEY}`,
  "Content-Type: application/json",
  "Accept: application/json, text/event-stream",
];
const self = (): string => `Host: 127.0.0.1:${gateway.port}`;

/** A request whose body begins and never ends. */
const endless = (method: string, headers: readonly string[]): Promise<RawAnswer> =>
  sendRaw(
    gateway.port,
    request(`${method} /mcp HTTP/1.1`, [...headers, ...GOOD, "Content-Length: 1000"], '{"jsonrpc"'),
    2_000,
  );

function refused(answer: RawAnswer, status: number, code: string): void {
  expect(answer.status).toBe(status);
  const { error, id } = jsonRpcErrorSchema.parse(JSON.parse(answer.body));
  expect(error.data).toMatchObject({ code, status });
  expect(id).toBe(null);
  expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  expect(answer.headers).not.toHaveProperty("mcp-session-id");
}

describe.each(["POST", "GET", "DELETE"])("a web page's %s is refused before its body is read", (method) => {
  it.each([
    ["Host alone", () => ["Host: evil.example"], "forbidden_host"],
    ["Host of another port", () => ["Host: 127.0.0.1:1"], "forbidden_host"],
    ["no Host", () => [], "forbidden_host"],
    ["two Hosts", () => [self(), "Host: evil.example"], "forbidden_host"],
    ["Origin alone", () => [self(), "Origin: http://evil.example"], "forbidden_origin"],
    ["Origin of another port", () => [self(), "Origin: http://127.0.0.1:1"], "forbidden_origin"],
    ["Origin null", () => [self(), "Origin: null"], "forbidden_origin"],
    ["an empty Origin", () => [self(), "Origin: "], "forbidden_origin"],
    [
      "our own Origin and a foreign one",
      () => [self(), `Origin: ${gateway.url}`, "Origin: http://evil.example"],
      "forbidden_origin",
    ],
    ["both foreign", () => ["Host: evil.example", "Origin: http://evil.example"], "forbidden_"],
    ["rebound", () => ["Host: localhost.evil.example", "Origin: http://localhost.evil.example"], "forbidden_"],
    ["cross-site", () => [self(), "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"], "forbidden_origin"],
  ])("%s", async (_what, headers, code) => {
    const answer = await endless(method, headers());
    const told = jsonRpcErrorSchema.parse(JSON.parse(answer.body)).error.data.code;
    expect(told.startsWith(code)).toBe(true);
    refused(answer, 403, told);
  });
});

it("Postern's own page may ask", async () => {
  expect((await post(gateway, INITIALIZE, { headers: { origin: gateway.url } })).status).toBe(200);
});

describe("a key that is none", () => {
  const keys: readonly (readonly [string, readonly string[], string])[] = [
    ["missing", [], "invalid_api_key"],
    ["empty", ["Authorization: "], "invalid_api_key"],
    ["a scheme alone", ["Authorization: Bearer"], "invalid_api_key"],
    ["another scheme", [`Authorization: Basic ${Buffer.from(`x:${KEY}`).toString("base64")}`], "invalid_api_key"],
    ["without a scheme", [`Authorization: ${KEY}`], "invalid_api_key"],
    ["unknown", ["Authorization: Bearer sk-garbage-garbage-garbage"], "invalid_api_key"],
    ["cut off", [`Authorization: Bearer ${KEY.slice(0, -1)}`], "invalid_api_key"],
    ["with more behind it", [`Authorization: Bearer ${KEY} ${KEY}`], "invalid_api_key"],
    ["in other letters", [`Authorization: Bearer ${KEY.toUpperCase()}`], "invalid_api_key"],
    ["long", [`Authorization: Bearer ${"k".repeat(10_000)}`], "invalid_api_key"],
    ["of bytes", ["Authorization: Bearer \u00ff\u00fe"], "invalid_api_key"],
    ["expired", [`Authorization: Bearer ${EXPIRED}`], "key_expired"],
    ["switched off", [`Authorization: Bearer ${DISABLED}`], "key_disabled"],
    ["in a header of other APIs", [`X-Api-Key: ${KEY}`], "invalid_api_key"],
    ["in a cookie", [`Cookie: authorization=Bearer ${KEY}`], "invalid_api_key"],
    ["of a proxy", [`Proxy-Authorization: Bearer ${KEY}`], "invalid_api_key"],
  ];
  it.each(keys)("%s: 401, before the body is read", async (_what, headers, code) => {
    for (const method of ["POST", "GET", "DELETE"]) {
      const answer = await sendRaw(
        gateway.port,
        request(
          `${method} /mcp HTTP/1.1`,
          [self(), ...headers, "Content-Type: application/json", "Content-Length: 1000"],
          "{",
        ),
        2_000,
      );
      refused(answer, 401, code);
      expect(answer.headers["www-authenticate"]).toMatch(/^Bearer/);
    }
  });

  it("a control token of the pages is none either", async () => {
    const answer = await post(gateway, INITIALIZE, { key: await gateway.signIn() });
    expect(answer.status).toBe(401);
  });

  it("beside a good session opens nothing", async () => {
    const session = await begin(gateway);
    const headers = { authorization: "Bearer sk-garbage-garbage-garbage" };
    for (const answer of [
      await send(gateway, OLD, rpc(OLD, 1, "tools/list"), { session, headers }),
      await without(gateway, "GET", { session, headers }),
      await without(gateway, "DELETE", { session, headers }),
    ]) {
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain(session);
    }
    expect((await send(gateway, OLD, rpc(OLD, 1, "ping"), { session })).status).toBe(200);
  });

  it("in the address is refused beside a good one", async () => {
    for (const query of [`api_key=${KEY}`, `x=${KEY}`, "token=abc"]) {
      const answer = await fetch(`${gateway.url}/mcp?${query}`, { headers: { authorization: `Bearer ${KEY}` } });
      expect(answer.status, query).toBe(401);
    }
  });
});

describe("a session", () => {
  it("of another key is as unknown as one that never was, to the byte", async () => {
    const theirs = await begin(gateway, OTHER);
    const never = theirs.split("").toReversed().join("");
    const texts = new Set<string>();
    for (const session of [
      theirs,
      never,
      "1",
      "00000000-0000-4000-8000-000000000000",
      `${theirs} `.trim().slice(0, -1),
    ]) {
      for (const answer of [
        await send(gateway, OLD, rpc(OLD, 1, "tools/list"), { session }),
        await send(
          gateway,
          OLD,
          { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
          { session },
        ),
        await without(gateway, "GET", { session }),
        await without(gateway, "GET", { session, headers: { "last-event-id": "AAAAAAAAAAAA.1.1" } }),
        await without(gateway, "DELETE", { session }),
      ]) {
        expect(answer.status, session).toBe(404);
        texts.add(await answer.text());
      }
    }
    expect([...texts]).toEqual([expect.stringContaining("Session not found")]);
    // And theirs is still theirs.
    expect((await send(gateway, OLD, rpc(OLD, 1, "ping"), { session: theirs, key: OTHER })).status).toBe(200);
  });

  it("cannot be chosen by who begins it", async () => {
    const theirs = await begin(gateway, OTHER);
    for (const session of [theirs, "fixed-by-me"]) {
      const answer = await post(gateway, INITIALIZE, { session });
      await answer.text();
      const mine = answer.headers.get("mcp-session-id") ?? "";
      expect(mine).not.toBe(session);
      expect((await send(gateway, OLD, rpc(OLD, 1, "ping"), { session: mine, key: OTHER })).status).toBe(404);
    }
  });

  it("cannot be altered: any other letter of its id makes it unknown", async () => {
    const session = await begin(gateway);
    for (let at = 0; at < session.length; at += 7) {
      const other = session[at] === "A" ? "B" : "A";
      const changed = `${session.slice(0, at)}${other}${session.slice(at + 1)}`;
      expect((await without(gateway, "DELETE", { session: changed })).status, `${at}`).toBe(404);
    }
    expect((await send(gateway, OLD, rpc(OLD, 1, "ping"), { session })).status).toBe(200);
  });

  it("is nothing to the newer revision: its id is passed over, and none is given", async () => {
    const theirs = await begin(gateway, OTHER);
    const answer = await send(gateway, NEW, rpc(NEW, 1, "tools/list"), { headers: { "mcp-session-id": theirs } });
    expect(answer.status).toBe(200);
    expect(answer.headers.has("mcp-session-id")).toBe(false);
  });

  it.each([
    ["10 kB", "x".repeat(10_000), 404],
    ["control characters", "abc\u0001\u0002", 400],
    ["a tab", "abc\tdef", 404],
    ["8-bit characters", "\u00e4\u00f6\u00fc\u00ff", 404],
    ["nothing", "", 400],
    ["a path", "../../../etc/passwd", 404],
    ["a prototype's name", "__proto__", 404],
    ["two in one", "one, two", 404],
  ])("named by %s is answered in peace", async (_what, session, status) => {
    for (const line of ["POST /mcp HTTP/1.1", "GET /mcp HTTP/1.1", "DELETE /mcp HTTP/1.1"]) {
      const body = JSON.stringify(rpc(OLD, 1, "tools/list"));
      const answer = await sendRaw(
        gateway.port,
        Buffer.from(
          request(
            line,
            [self(), "Connection: close", ...GOOD, `Mcp-Session-Id: ${session}`, `Content-Length: ${body.length}`],
            body,
          ),
          "latin1",
        ),
      );
      expect(answer.status, line).toBe(status);
    }
  });

  it("named twice is unknown", async () => {
    const session = await begin(gateway);
    const body = JSON.stringify(rpc(OLD, 1, "tools/list"));
    const twice = [`Mcp-Session-Id: ${session}`, `Mcp-Session-Id: ${session}`];
    const answer = await sendRaw(
      gateway.port,
      request(
        "POST /mcp HTTP/1.1",
        [self(), "Connection: close", ...GOOD, ...twice, `Content-Length: ${body.length}`],
        body,
      ),
    );
    expect(answer.status).toBe(404);
  });
});

describe("requests of other kinds", () => {
  const line = (text: string, headers: readonly string[] = [], body = ""): Promise<RawAnswer> =>
    sendRaw(gateway.port, request(text, [self(), ...GOOD, ...headers, "Connection: close"], body));
  const listed = JSON.stringify(rpc(NEW, 1, "tools/list"));
  const modern = [`Mcp-Protocol-Version: ${NEW}`, "Mcp-Method: tools/list", `Content-Length: ${listed.length}`];

  it("batches are refused in both eras, whole and empty", async () => {
    for (const [era, batch] of [
      [OLD, [INITIALIZE]],
      [OLD, [rpc(OLD, 1, "tools/list"), rpc(OLD, 2, "tools/list")]],
      [NEW, [rpc(NEW, 1, "tools/list")]],
      [NEW, []],
    ] as const) {
      const answer = await send(gateway, era, batch, era === OLD ? { session: await begin(gateway) } : {});
      expect(answer.status).toBe(400);
      expect(jsonRpcErrorSchema.parse(await answer.json()).error.code).toBe(-32_600);
    }
  });

  it.each(["HEAD", "PUT", "PATCH", "TRACE", "OPTIONS"])(
    "%s has no effect, and no page may read its answer",
    async (method) => {
      const answer = await line(`${method} /mcp HTTP/1.1`, ["Access-Control-Request-Method: POST"]);
      expect(answer.status).toBe(405);
      expect(answer.headers["allow"]).toContain("POST");
      expect(answer.text.toLowerCase()).not.toContain("access-control");
    },
  );

  it("a preflight of a page is refused", async () => {
    const answer = await line("OPTIONS /mcp HTTP/1.1", [
      "Origin: http://evil.example",
      "Access-Control-Request-Method: POST",
    ]);
    expect(answer.status).toBe(403);
    expect(answer.text.toLowerCase()).not.toContain("access-control");
  });

  it("HTTP/1.0 is served, and its connection closed", async () => {
    const answer = await sendRaw(gateway.port, request("POST /mcp HTTP/1.0", [self(), ...GOOD, ...modern], listed));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"tools"');
    expect(answer.closed).toBe(true);
  });

  it("a query changes nothing", async () => {
    expect((await line("POST /mcp?x=1 HTTP/1.1", modern, listed)).status).toBe(200);
  });

  it.each(["/mcp/", "/MCP", "/Mcp/"])("%s is the same address, guarded by the same rules", async (path) => {
    expect((await line(`POST ${path} HTTP/1.1`, modern, listed)).text).toContain('"tools"');
    const strange = [self(), "Content-Type: application/json", ...modern];
    refused(await sendRaw(gateway.port, request(`POST ${path} HTTP/1.1`, strange, listed)), 401, "invalid_api_key");
    const foreign = ["Host: evil.example", ...GOOD, ...modern];
    refused(await sendRaw(gateway.port, request(`POST ${path} HTTP/1.1`, foreign, listed)), 403, "forbidden_host");
  });

  it.each(["/mcp/x", "//mcp", "/./mcp", "/%6dcp", "/mcp%2f", "/mcp;x", "/mcp\\"])(
    "%s is another address: nothing is served there, with a key or without",
    async (path) => {
      for (const authorization of [`Authorization: Bearer ${KEY}`, "X-None: none"]) {
        const answer = await sendRaw(
          gateway.port,
          request(
            `POST ${path} HTTP/1.1`,
            [self(), "Connection: close", authorization, "Content-Type: application/json", ...modern],
            listed,
          ),
        );
        expect([400, 404, 405]).toContain(answer.status);
        expect(answer.text).not.toContain('"tools"');
      }
    },
  );

  it("a type that is no JSON is refused before the body", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
    ]) {
      const answer = await sendRaw(
        gateway.port,
        request("POST /mcp HTTP/1.1", [self(), GOOD[0] ?? "", `Content-Type: ${type}`, "Content-Length: 1000"], "{"),
        2_000,
      );
      expect(answer.status).toBe(415);
      refused(answer, 415, "unsupported_media_type");
    }
  });

  it("a missing Accept is taken for any, and one for something else is refused by the older revisions", async () => {
    const session = await begin(gateway);
    const body = JSON.stringify(rpc(OLD, 1, "tools/list"));
    const ask = (accept: readonly string[], headers: readonly string[], text: string): Promise<RawAnswer> =>
      sendRaw(
        gateway.port,
        request(
          "POST /mcp HTTP/1.1",
          [self(), "Connection: close", GOOD[0] ?? "", GOOD[1] ?? "", ...accept, ...headers],
          text,
        ),
      );
    const older = [`Mcp-Session-Id: ${session}`, `Content-Length: ${body.length}`];
    for (const accept of [[], ["Accept: */*"]]) {
      expect((await ask(accept, modern, listed)).text).toContain('"tools"');
      expect((await ask(accept, older, body)).text).toContain('"tools"');
    }
    expect((await ask(["Accept: text/html"], older, body)).status).toBe(406);
  });

  it("a stream of events ends with its connection when the client wants that, as with HTTP/1.0", async () => {
    const session = await begin(gateway);
    const body = JSON.stringify(rpc(OLD, 1, "tools/list"));
    const headers = [...GOOD, `Mcp-Session-Id: ${session}`, `Content-Length: ${body.length}`];
    for (const [version, more] of [
      ["1.1", ["Connection: close"]],
      ["1.0", []],
    ] as const) {
      const answer = await sendRaw(
        gateway.port,
        request(`POST /mcp HTTP/${version}`, [self(), ...headers, ...more], body),
      );
      expect(answer.headers["content-type"]).toBe("text/event-stream");
      expect(answer.text).toContain('"tools"');
      expect(answer.closed, version).toBe(true);
    }
  });

  it("a body in pieces is waited for, and one that breaks off does nothing", async () => {
    const socket = await open(gateway.port);
    socket.write(request("POST /mcp HTTP/1.1", [self(), ...GOOD, ...modern]));
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    for (const piece of listed.match(/.{1,40}/gs) ?? []) {
      socket.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => text).toContain('"tools"');
    socket.destroy();
    const half = await open(gateway.port);
    half.write(request("POST /mcp HTTP/1.1", [self(), ...GOOD, ...modern], listed.slice(0, 30)));
    half.destroy();
    expect((await call(gateway, NEW, "get_quota", {})).status).toBe(200);
  });
});
