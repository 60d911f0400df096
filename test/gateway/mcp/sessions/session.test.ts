import * as second from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventsOf, INITIALIZE, request, startSessionServer, toolCall } from "../../../support/session-server.ts";
import type { Sent, SessionServer } from "../../../support/session-server.ts";

let server: SessionServer;
const clients: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  server = await startSessionServer();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server.close();
});

const send = (message: unknown, sent?: Sent): Promise<Response> => fetch(server.url, request(message, sent));
const requestInit = { headers: { authorization: "Bearer key_a" } };
const colour = { action: "accept" as const, content: { colour: "green" } };
const capabilities = { elicitation: { form: {} } };

/** What the tests need of a client, of either generation of the SDK. */
interface AnyClient {
  /** @param onprogress called when the first progress has arrived */
  call(name: string, args?: Record<string, unknown>, onprogress?: () => void): Promise<unknown>;
  /** Resolves when the client was informed that the tools have changed. */
  readonly changed: Promise<void>;
  readonly errors: string[];
}

async function connectFirst(): Promise<AnyClient> {
  const errors: string[] = [];
  const changed = Promise.withResolvers<void>();
  const client = new Client(
    { name: "first", version: "1" },
    { capabilities, listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changed.resolve() } } },
  );
  client.setRequestHandler(ElicitRequestSchema, () => Promise.resolve(colour));
  // The callback of this class is set, not listened for.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  client.onerror = ({ message }) => errors.push(message);
  await client.connect(new StreamableHTTPClientTransport(server.url, { requestInit }));
  clients.push(client);
  return {
    call: (name, args = {}, onprogress) =>
      client.callTool({ name, arguments: args }, undefined, onprogress === undefined ? {} : { onprogress }),
    changed: changed.promise,
    errors,
  };
}

async function connectSecond(): Promise<AnyClient> {
  const errors: string[] = [];
  const changed = Promise.withResolvers<void>();
  const client = new second.Client(
    { name: "second", version: "1" },
    { capabilities, listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changed.resolve() } } },
  );
  client.setRequestHandler("elicitation/create", () => colour);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  client.onerror = ({ message }) => errors.push(message);
  await client.connect(new second.StreamableHTTPClientTransport(server.url, { requestInit }));
  clients.push(client);
  return {
    call: (name, args = {}, onprogress) =>
      client.callTool({ name, arguments: args }, onprogress === undefined ? {} : { onprogress }),
    changed: changed.promise,
    errors,
  };
}

/** A call of `hold` of whose beginning the client has heard. */
async function pending(client: AnyClient): Promise<{ readonly call: Promise<unknown> }> {
  const started = Promise.withResolvers<void>();
  const call = client.call("hold", { name: "one" }, () => started.resolve());
  // It may fail before someone looks.
  call.catch(() => undefined);
  await started.promise;
  return { call };
}

const text = (message: string) => ({ content: [{ type: "text", text: message }] });
const isReturn = ({ method, last }: { method: string; last: string | null }): boolean =>
  method === "GET" && last !== null;

describe.each([
  ["version 1 of the SDK", connectFirst],
  ["version 2 of the SDK", connectSecond],
])("a client by %s", (_, connect) => {
  it("calls tools after a restart as if nothing had happened", async () => {
    const client = await connect();
    expect(await client.call("echo", { text: "before" })).toMatchObject(text("before"));
    await server.restart();
    expect(server.sessions.count).toBe(0);
    expect(await client.call("echo", { text: "after" })).toMatchObject(text("after"));
    expect(server.sessions.count).toBe(1);
    expect(server.made).toBe(2);
  });

  it("hears the end of a call whose connection broke, when it is back before", async () => {
    const client = await connect();
    const { call } = await pending(client);
    server.cut();
    expect(await server.answered(isReturn)).toMatchObject({ status: 200 });
    server.release("one");
    expect(await call).toMatchObject(text("one was released"));
  });

  it("hears the end of a call that came while its connection was broken", async () => {
    const client = await connect();
    const { call } = await pending(client);
    server.cut();
    server.release("one");
    expect(await call).toMatchObject(text("one was released"));
  });

  it("is reported at once that the response to a call is lost when Postern was restarted meanwhile", async () => {
    const client = await connect();
    const { call } = await pending(client);
    await server.restart();
    await expect(call).rejects.toThrow("The response to this call is gone");
    expect(await client.call("echo", { text: "after" })).toMatchObject(text("after"));
  });

  it("answers what the server asks it", async () => {
    const client = await connect();
    expect(await client.call("ask")).toMatchObject(text("green"));
  });

  it("listens again after a restart", async () => {
    const client = await connect();
    await server.answered(({ method, status }) => method === "GET" && status === 200);
    server.seen.length = 0;
    await server.restart();
    await server.answered(({ method, status }) => method === "GET" && status === 200);
    server.sessions.toolsChanged();
    await expect(client.changed).resolves.toBeUndefined();
  });
});

it("has nothing more for clients that take an error for no end of a call", async () => {
  const client = await connectFirst();
  await server.answered(({ method, status }) => method === "GET" && status === 200);
  await expect(client.call("no-such-tool")).rejects.toThrow("not found");
  expect(await server.answered(isReturn)).toMatchObject({ status: 405 });
  expect(client.errors).toEqual([]);
});

describe("a stream", () => {
  async function begin(): Promise<string> {
    const response = await send(INITIALIZE);
    await response.text();
    return response.headers.get("mcp-session-id") ?? "";
  }

  const comeBack = (session: string, last: string): Promise<Response> =>
    send(undefined, { method: "GET", session, headers: { "last-event-id": last } });

  /** A stream that stays open while it is read. */
  const openStream = ({ body }: Response) => {
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    return {
      nextId: async () => {
        const { done, value } = (await reader?.read()) ?? { done: true };
        return done ? "end" : (/^id: (\S+)/m.exec(value ?? "")?.[1] ?? "");
      },
    };
  };

  it("begins with an id to come back with", async () => {
    const session = await begin();
    const events = await eventsOf(await send(toolCall(5, "echo", { text: "a" }), { session }));
    expect(events.map(({ message }) => message?.["id"])).toEqual([undefined, 5]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
    expect(events[0]?.id).toMatch(/^[\w.-]{10,64}$/);
  });

  it("can be read again for a while by who did not get its end, and then says so", async () => {
    const session = await begin();
    const [primed, answered] = await eventsOf(await send(toolCall(5, "echo", { text: "a" }), { session }));
    const again = await eventsOf(await comeBack(session, primed?.id ?? ""));
    expect(again).toEqual([answered]);
    expect((await comeBack(session, answered?.id ?? "")).status).toBe(405);
    server.pass(60_000);
    const [lost] = await eventsOf(await comeBack(session, primed?.id ?? ""));
    expect(lost?.message).toMatchObject({ id: 5, error: { code: -32_000 } });
    expect((await comeBack(session, lost?.id ?? "")).status).toBe(405);
  });

  it("keeps a response for ten minutes that no one took", async () => {
    const session = await begin();
    const call = await send(toolCall("five", "hold", { name: "one" }), { session });
    const [primed] = await eventsOf(call, 1);
    await server.begun("one");
    server.release("one");
    server.pass(9 * 60_000);
    const [response] = await eventsOf(await comeBack(session, primed?.id ?? ""));
    expect(response?.message).toMatchObject({ id: "five", result: text("one was released") });
  });

  it("of another session cannot be read", async () => {
    const [one, other] = [await begin(), await begin()];
    const [primed] = await eventsOf(await send(toolCall(5, "echo", { text: "secret" }), { session: one }));
    const response = await (await comeBack(other, primed?.id ?? "")).text();
    expect(response).not.toContain("secret");
    expect(response).toContain("is gone");
  });

  it("of an earlier life gives way to a new one", async () => {
    const session = await begin();
    const stream = await send(undefined, { method: "GET", session });
    server.sessions.toolsChanged();
    const [event] = await eventsOf(stream, 1);
    await server.restart();
    const back = await comeBack(session, event?.id ?? "");
    expect(back.status).toBe(200);
    server.sessions.toolsChanged();
    expect((await eventsOf(back, 1))[0]?.message).toMatchObject({ method: "notifications/tools/list_changed" });
  });

  it("is answered as a new one to an id that was never given", async () => {
    const session = await begin();
    const back = await comeBack(session, "no such id");
    expect(back.status).toBe(200);
    expect(server.sessions.standing).toBe(1);
    await back.body?.cancel();
  });

  it("is replaced by the next one of its session, however that begins", async () => {
    const session = await begin();
    const first = openStream(await send(undefined, { method: "GET", session }));
    server.sessions.toolsChanged();
    const id = await first.nextId();
    const second = await send(undefined, { method: "GET", session });
    expect([second.status, await first.nextId()]).toEqual([200, "end"]);
    const third = await comeBack(session, id);
    expect([third.status, await second.text()]).toEqual([200, ""]);
    await server.until(() => server.sessions.standing === 1);
    server.sessions.toolsChanged();
    expect((await eventsOf(third, 1))[0]?.message).toMatchObject({ method: "notifications/tools/list_changed" });
  });

  it("of a call is taken over by who comes back for it while it looks open", async () => {
    const session = await begin();
    const call = await send(toolCall(5, "hold", { name: "one" }), { session });
    const id = await openStream(call).nextId();
    await server.begun("one");
    const back = await comeBack(session, id);
    expect(back.status).toBe(200);
    server.release("one");
    expect((await eventsOf(back))[0]?.message).toMatchObject({ id: 5, result: text("one was released") });
  });
});
