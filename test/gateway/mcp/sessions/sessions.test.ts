import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dose } from "../../../support/dose.ts";
import { eventsOf, INITIALIZE, request, startSessionServer, toolCall } from "../../../support/session-server.ts";
import type { Sent, SessionServer } from "../../../support/session-server.ts";

let server: SessionServer;
beforeEach(async () => {
  server = await startSessionServer();
});
afterEach(() => server.close());

const send = (message: unknown, sent?: Sent): Promise<Response> => fetch(server.url, request(message, sent));

/** A session of its own, started; its id. */
async function begin(key = "key_a"): Promise<string> {
  const response = await send(INITIALIZE, { key });
  expect(response.status).toBe(200);
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

/** What `echo` answers in the session: the text, or the HTTP status of the refusal. */
async function echo(session: string, key = "key_a"): Promise<unknown> {
  const response = await send(toolCall(7, "echo", { text: "hello" }), { session, key });
  if (!response.ok) return response.status;
  return (await eventsOf(response)).at(-1)?.message?.["result"];
}
const HELLO = { content: [{ type: "text", text: "hello" }] };

describe("ids", () => {
  it("are asked for by a sentence when a request brings none", async () => {
    const response = await send(toolCall(1, "echo", { text: "a" }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32_000 } });
  });

  it("are of no use to another key, which learns nothing", async () => {
    const session = await begin("key_a");
    const foreign = await Promise.all(
      [
        send(toolCall(1, "who"), { session, key: "key_b" }),
        send(undefined, { method: "DELETE", session, key: "key_b" }),
      ].concat(
        send(undefined, { method: "GET", session, key: "key_b" }),
        send(toolCall(1, "who"), { session: "never-issued" }),
      ),
    );
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(await Promise.all(foreign.map((response) => response.text()))).size).toBe(1);
    expect(await echo(session)).toMatchObject(HELLO);
    await server.restart();
    expect(await echo(session, "key_b")).toBe(404);
    expect(await echo(session)).toMatchObject(HELLO);
  });

  it("are fresh, whatever id an initialize brings", async () => {
    const session = await begin();
    const response = await send(INITIALIZE, { session, key: "key_b" });
    expect(response.status).toBe(200);
    expect(response.headers.get("mcp-session-id")).not.toBe(session);
    expect((await send(INITIALIZE, { session: "chosen-by-me" })).headers.get("mcp-session-id")).not.toBe(
      "chosen-by-me",
    );
  });

  it("end by DELETE, whether in memory or not, and are not revived", async () => {
    const [one, other] = [await begin(), await begin()];
    expect((await send(undefined, { method: "DELETE", session: one })).status).toBe(200);
    expect(server.sessions.count).toBe(1);
    expect(await echo(one)).toBe(404);
    server.pass(31 * 60_000);
    expect(server.sessions.count).toBe(0);
    expect((await send(undefined, { method: "DELETE", session: other })).status).toBe(200);
    expect(await echo(other)).toBe(404);
    expect((await send(undefined, { method: "DELETE", session: other })).status).toBe(404);
  });

  it("are revived for thirty days", async () => {
    const session = await begin();
    server.pass(29 * 86_400_000);
    expect(server.sessions.count).toBe(0);
    expect(await echo(session)).toMatchObject(HELLO);
    server.pass(2 * 86_400_000);
    expect(await echo(session)).toBe(404);
  });
});

describe("revival", () => {
  it("remembers whose session it is, and nothing of the client", async () => {
    const session = await begin();
    await server.restart();
    const [, called] = await eventsOf(await send(toolCall(1, "who"), { session }));
    const result = called?.message?.["result"] as { content: { text: string }[] } | undefined;
    expect(JSON.parse(result?.content[0]?.text ?? "")).toEqual(["key_a", { name: "revived", version: "1" }, {}]);
  });

  it("makes one session of requests that come at once", async () => {
    const session = await begin();
    await server.restart();
    const before = server.made;
    const responses = await Promise.all(
      Array.from({ length: 50 }, async (_, id) => {
        const response = await send(toolCall(id, "echo", { text: `${id}` }), { session });
        return (await eventsOf(response)).at(-1)?.message;
      }),
    );
    expect(responses.map((message) => message?.["id"])).toEqual(Array.from({ length: 50 }, (_, id) => id));
    expect(responses[49]).toMatchObject({ result: { content: [{ text: "49" }] } });
    expect(server.made - before).toBe(1);
    expect(server.sessions.count).toBe(1);
  });
});

describe.each(["2025-03-26", "2025-06-18", "2025-11-25"])("revision %s", (revision) => {
  const headers = { "mcp-protocol-version": revision };

  it("is agreed on, kept over a restart, and named by every request", async () => {
    const first = await send({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: revision } });
    const session = first.headers.get("mcp-session-id") ?? "";
    expect((await eventsOf(first)).at(-1)?.message).toMatchObject({ result: { protocolVersion: revision } });
    await server.restart();
    const events = await eventsOf(await send(toolCall(1, "echo", { text: "hello" }), { session, headers }));
    expect(events.at(-1)?.message).toMatchObject({ id: 1, result: HELLO });
    // Clients of older revisions stumble over an event without a message.
    expect(events).toHaveLength(revision === "2025-11-25" ? 2 : 1);
    const wrong = await send(toolCall(2, "who"), { session, headers: { "mcp-protocol-version": "2025-13-99" } });
    expect(wrong.status).toBe(400);
  });
});

describe("bounds", () => {
  it("hold with thousands of sessions, and the first still work", { timeout: 600_000 }, async () => {
    const { sessions } = server;
    const ids: string[] = [];
    for (let n = 0; n < dose(1_500, 10_000); n++) {
      const keyId = `key_${n % 20}`;
      const caller = { keyId, authInfo: { token: "", clientId: keyId, scopes: [] } };
      // Without HTTP: the point is the number.
      const response = await sessions.handle(
        new Request(server.url, request(undefined, { headers: { "content-type": "application/json" } })),
        caller,
        INITIALIZE,
      );
      await response.text();
      ids.push(response.headers.get("mcp-session-id") ?? "");
    }
    expect(sessions.count).toBe(1_000);
    expect(await Promise.all(ids.slice(0, 20).map((id, n) => echo(id, `key_${n}`)))).toEqual(
      Array.from({ length: 20 }, () => expect.objectContaining(HELLO)),
    );
    expect(sessions.count).toBe(1_000);
  });

  it("let one key have a hundred, never at the cost of a running call", async () => {
    const busy = await begin();
    const call = await send(toolCall(1, "hold", { name: "first" }), { session: busy });
    await server.begun("first");
    for (let n = 0; n < 120; n++) await begin();
    expect(server.sessions.count).toBe(100);
    const made = server.made;
    server.release("first");
    expect((await eventsOf(call)).at(-1)?.message).toMatchObject({
      result: { content: [{ text: "first was released" }] },
    });
    expect(await echo(busy)).toMatchObject(HELLO);
    expect(server.made).toBe(made);
  });

  it("let those that listen leave last", async () => {
    const listening = await begin();
    const stream = await send(undefined, { method: "GET", session: listening });
    for (let n = 0; n < 120; n++) await begin();
    expect([server.sessions.count, server.sessions.standing]).toEqual([100, 1]);
    server.sessions.toolsChanged();
    expect(await eventsOf(stream, 1)).toHaveLength(1);
  });

  it("refuse a session more when all are at work", async () => {
    const calls: Response[] = [];
    for (let n = 0; n < 100; n++) {
      calls.push(await send(toolCall(1, "hold", { name: `${n}` }), { session: await begin() }));
      await server.begun(`${n}`);
    }
    const response = await send(INITIALIZE);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(await response.json()).toMatchObject({ error: { code: -32_000 } });
    await begin("key_b");
    server.release("0");
    await calls[0]?.text();
    expect((await send(INITIALIZE)).status).toBe(200);
  });

  it("let idle sessions go after half an hour, those that listen stay", async () => {
    const [listening, idle] = [await begin(), await begin()];
    const stream = await send(undefined, { method: "GET", session: listening });
    expect(server.sessions.standing).toBe(1);
    server.pass(29 * 60_000);
    expect(server.sessions.count).toBe(2);
    server.pass(2 * 60_000);
    expect(server.sessions.count).toBe(1);
    await stream.body?.cancel();
    await server.until(() => server.sessions.standing === 0);
    expect(await echo(idle)).toMatchObject(HELLO);
    server.pass(31 * 60_000);
    expect(server.sessions.count).toBe(0);
    server.pass(60_000);
    expect(server.timers.size).toBe(0);
  });

  it("keep nothing of an initialize that was refused", async () => {
    expect((await send(INITIALIZE, { headers: { accept: "text/html" } })).status).toBe(406);
    expect((await send({ jsonrpc: "2.0", id: 4, method: "initialize", params: {} })).status).toBe(400);
    expect((await send([INITIALIZE])).status).toBe(400);
    expect((await send(undefined, { method: "PUT" })).status).toBe(405);
    expect(server.sessions.count).toBe(0);
  });
});

describe("ends", () => {
  it("come with the key: its calls are cancelled, its streams closed, other keys' are not", async () => {
    const [mine, theirs] = [await begin(), await begin("key_b")];
    const stream = await send(undefined, { method: "GET", session: mine });
    const call = await send(toolCall(1, "hold", { name: "one" }), { session: mine });
    await server.begun("one");
    server.sessions.endKeys((keyId) => keyId === "key_a");
    await server.aborted("one");
    expect(await stream.text()).toBe("");
    expect((await eventsOf(call)).map(({ message }) => message)).toEqual([null]);
    expect(server.sessions.count).toBe(1);
    expect(await echo(theirs, "key_b")).toMatchObject(HELLO);
  });

  it("of a stop close what only listens, and say when to come back", async () => {
    const session = await begin();
    const stream = await send(undefined, { method: "GET", session });
    const call = await send(toolCall(1, "hold", { name: "one" }), { session });
    await server.begun("one");
    server.sessions.endStanding();
    expect(await stream.text()).toBe("retry: 5000\n\n");
    expect((await send(undefined, { method: "GET", session })).status).toBe(503);
    expect((await send(undefined, { method: "GET", session, headers: { "last-event-id": "x" } })).status).toBe(503);
    expect((await send(INITIALIZE)).status).toBe(503);
    server.release("one");
    expect((await eventsOf(call)).at(-1)?.message).toMatchObject({ result: {} });
    await server.sessions.close();
    expect(await echo(session)).toBe(503);
    expect(server.sessions.count).toBe(0);
  });

  it("of a cancelled call close its stream, and its client has nothing to come back for", async () => {
    const session = await begin();
    const call = await send(toolCall("x", "hold", { name: "one" }), { session });
    await server.begun("one");
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "x" } };
    expect((await send(cancelled, { session })).status).toBe(202);
    await server.aborted("one");
    const events = await eventsOf(call);
    expect(events.map(({ message }) => message)).toEqual([null]);
    const back = await send(undefined, { method: "GET", session, headers: { "last-event-id": events[0]?.id ?? "" } });
    expect(back.status).toBe(405);
  });
});

it("tells clients that listen of another list of tools", async () => {
  const [listening, deaf] = [await begin(), await begin()];
  const stream = await send(undefined, { method: "GET", session: listening });
  server.sessions.toolsChanged();
  const [event] = await eventsOf(stream, 1);
  expect(event?.message).toEqual({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  const later = await send(undefined, { method: "GET", session: deaf });
  server.sessions.endStanding();
  expect(await later.text()).toBe("retry: 5000\n\n");
});
