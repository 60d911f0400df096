import { describe, expect, it } from "vitest";
import { jsonRpcErrorSchema } from "../../../../gateway/contract/errors.ts";
import { open, request, sendRaw, type RawResponse } from "../../../support/raw-http.ts";
import { KEY } from "../../../support/running-gateway.ts";
import { GOOD, doorStage, refused } from "./door-stage.ts";
import { INITIALIZE, NEW, OLD, begin, call, rpc, send } from "./wire.ts";

/** Requests that are no good HTTP, or none that the endpoint is for. */

const stage = doorStage();

describe("requests of other kinds", () => {
  const line = (text: string, headers: readonly string[] = [], body = ""): Promise<RawResponse> =>
    sendRaw(stage.gateway.port, request(text, [stage.self(), ...GOOD, ...headers, "Connection: close"], body));
  const listed = JSON.stringify(rpc(NEW, 1, "tools/list"));
  const modern = [`Mcp-Protocol-Version: ${NEW}`, "Mcp-Method: tools/list", `Content-Length: ${listed.length}`];

  it("batches are refused in both eras, whole and empty", async () => {
    for (const [era, batch] of [
      [OLD, [INITIALIZE]],
      [OLD, [rpc(OLD, 1, "tools/list"), rpc(OLD, 2, "tools/list")]],
      [NEW, [rpc(NEW, 1, "tools/list")]],
      [NEW, []],
    ] as const) {
      const response = await send(
        stage.gateway,
        era,
        batch,
        era === OLD ? { session: await begin(stage.gateway) } : {},
      );
      expect(response.status).toBe(400);
      expect(jsonRpcErrorSchema.parse(await response.json()).error.code).toBe(-32_600);
    }
  });

  it.each(["HEAD", "PUT", "PATCH", "TRACE", "OPTIONS"])(
    "%s has no effect, and no page may read its answer",
    async (method) => {
      const response = await line(`${method} /mcp HTTP/1.1`, ["Access-Control-Request-Method: POST"]);
      expect(response.status).toBe(405);
      expect(response.headers["allow"]).toContain("POST");
      expect(response.text.toLowerCase()).not.toContain("access-control");
    },
  );

  it("HTTP/1.0 is served, and its connection closed", async () => {
    const response = await sendRaw(
      stage.gateway.port,
      request("POST /mcp HTTP/1.0", [stage.self(), ...GOOD, ...modern], listed),
    );
    expect(response.status).toBe(200);
    expect(response.text).toContain('"tools"');
    expect(response.closed).toBe(true);
  });

  it.each(["/mcp//", "/MCP", "/Mcp/", "/mcp/x", "//mcp", "/./mcp", "/%6dcp", "/mcp%2f", "/mcp;x", "/mcp\\"])(
    "%s is another address: nothing is served there, with a key or without",
    async (path) => {
      for (const authorization of [`Authorization: Bearer ${KEY}`, "X-None: none"]) {
        const response = await sendRaw(
          stage.gateway.port,
          request(
            `POST ${path} HTTP/1.1`,
            [stage.self(), "Connection: close", authorization, "Content-Type: application/json", ...modern],
            listed,
          ),
        );
        expect([400, 404, 405]).toContain(response.status);
        expect(response.text).not.toContain('"tools"');
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
      const response = await sendRaw(
        stage.gateway.port,
        request(
          "POST /mcp HTTP/1.1",
          [stage.self(), GOOD[0] ?? "", `Content-Type: ${type}`, "Content-Length: 1000"],
          "{",
        ),
        2_000,
      );
      expect(response.status).toBe(415);
      refused(response, 415, "unsupported_media_type");
    }
  });

  it("a missing Accept is taken for any, and one for something else is refused by the older revisions", async () => {
    const session = await begin(stage.gateway);
    const body = JSON.stringify(rpc(OLD, 1, "tools/list"));
    const ask = (accept: readonly string[], headers: readonly string[], text: string): Promise<RawResponse> =>
      sendRaw(
        stage.gateway.port,
        request(
          "POST /mcp HTTP/1.1",
          [stage.self(), "Connection: close", GOOD[0] ?? "", GOOD[1] ?? "", ...accept, ...headers],
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
    const session = await begin(stage.gateway);
    const body = JSON.stringify(rpc(OLD, 1, "tools/list"));
    const headers = [...GOOD, `Mcp-Session-Id: ${session}`, `Content-Length: ${body.length}`];
    for (const [version, more] of [
      ["1.1", ["Connection: close"]],
      ["1.0", []],
    ] as const) {
      const response = await sendRaw(
        stage.gateway.port,
        request(`POST /mcp HTTP/${version}`, [stage.self(), ...headers, ...more], body),
      );
      expect(response.headers["content-type"]).toBe("text/event-stream");
      expect(response.text).toContain('"tools"');
      expect(response.closed, version).toBe(true);
    }
  });

  it("a body in pieces is waited for, and one that breaks off does nothing", async () => {
    const socket = await open(stage.gateway.port);
    socket.write(request("POST /mcp HTTP/1.1", [stage.self(), ...GOOD, ...modern]));
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    for (const piece of listed.match(/.{1,40}/gs) ?? []) {
      socket.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => text).toContain('"tools"');
    socket.destroy();
    const half = await open(stage.gateway.port);
    half.write(request("POST /mcp HTTP/1.1", [stage.self(), ...GOOD, ...modern], listed.slice(0, 30)));
    half.destroy();
    expect((await call(stage.gateway, NEW, "get_quota", {})).status).toBe(200);
  });
});
