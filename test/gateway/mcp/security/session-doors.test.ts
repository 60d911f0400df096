import { describe, expect, it } from "vitest";
import { request, sendRaw } from "../../../support/raw-http.ts";
import { GOOD, OTHER, doorStage } from "./door-stage.ts";
import { NEW, OLD, begin, rpc, send, without } from "./wire.ts";

/** Whose session it is. */

const stage = doorStage();

describe("a session", () => {
  it("of another key is as unknown as one that never was, to the byte", async () => {
    const theirs = await begin(stage.gateway, OTHER);
    const never = theirs.split("").toReversed().join("");
    const texts = new Set<string>();
    for (const session of [
      theirs,
      never,
      "1",
      "00000000-0000-4000-8000-000000000000",
      `${theirs} `.trim().slice(0, -1),
    ]) {
      for (const response of [
        await send(stage.gateway, OLD, rpc(OLD, 1, "tools/list"), { session }),
        await send(
          stage.gateway,
          OLD,
          { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
          { session },
        ),
        await without(stage.gateway, "GET", { session }),
        await without(stage.gateway, "GET", { session, headers: { "last-event-id": "AAAAAAAAAAAA.1.1" } }),
        await without(stage.gateway, "DELETE", { session }),
      ]) {
        expect(response.status, session).toBe(404);
        texts.add(await response.text());
      }
    }
    expect([...texts]).toEqual([expect.stringContaining("Session not found")]);
    // And theirs is still theirs.
    expect((await send(stage.gateway, OLD, rpc(OLD, 1, "ping"), { session: theirs, key: OTHER })).status).toBe(200);
  });

  it("is nothing to the newer revision: its id is passed over, and none is given", async () => {
    const theirs = await begin(stage.gateway, OTHER);
    const response = await send(stage.gateway, NEW, rpc(NEW, 1, "tools/list"), {
      headers: { "mcp-session-id": theirs },
    });
    expect(response.status).toBe(200);
    expect(response.headers.has("mcp-session-id")).toBe(false);
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
      const response = await sendRaw(
        stage.gateway.port,
        Buffer.from(
          request(
            line,
            [
              stage.self(),
              "Connection: close",
              ...GOOD,
              `Mcp-Session-Id: ${session}`,
              `Content-Length: ${body.length}`,
            ],
            body,
          ),
          "latin1",
        ),
      );
      expect(response.status, line).toBe(status);
    }
  });

  it("named twice is unknown", async () => {
    const session = await begin(stage.gateway);
    const body = JSON.stringify(rpc(OLD, 1, "tools/list"));
    const twice = [`Mcp-Session-Id: ${session}`, `Mcp-Session-Id: ${session}`];
    const response = await sendRaw(
      stage.gateway.port,
      request(
        "POST /mcp HTTP/1.1",
        [stage.self(), "Connection: close", ...GOOD, ...twice, `Content-Length: ${body.length}`],
        body,
      ),
    );
    expect(response.status).toBe(404);
  });
});
