import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KeyView } from "../../../../gateway/contract/key.ts";
import { contentFrame, endlessStream, hang } from "../../../support/acts.ts";
import { open, request } from "../../../support/raw-http.ts";
import { until } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { ERAS, NEW, OLD, OpenStream, begin, call, codeOf, messagesOf, rpc, send, toolCall, without } from "./wire.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

/** A key that is revoked, switched off or expires in the middle of something. */

const provider = useProvider();
const clock = new TestClock();
/** What was put off, until a test says that its time has come. */
const putOff = new Set<() => void>();
const logged: string[] = [];
const gateway = useGateway(() => ({
  provider,
  clock,
  logged,
  later: (_ms, work) => {
    putOff.add(work);
    return () => putOff.delete(work);
  },
}));
beforeEach(() => provider.reset());
afterEach(() => expect(logged.filter((line) => line.includes('"error"'))).toEqual([]));

const HELLO = { model: "gpt-4.1", prompt: "Say hello." };

async function newKey(): Promise<{ id: string; secret: string }> {
  const { secret, key } = await gateway.ask<{ secret: string; key: KeyView }>("POST", "/keys", { name: "short-lived" });
  return { id: key.id, secret };
}

const ENDS: readonly (readonly [string, string, (id: string) => Promise<unknown>])[] = [
  ["revoked", "invalid_api_key", (id) => gateway.control("DELETE", `/keys/${id}`)],
  ["switched off", "key_disabled", (id) => gateway.ask("PATCH", `/keys/${id}`, { disabled: true })],
  ["expired", "key_expired", (id) => gateway.ask("PATCH", `/keys/${id}`, { expires_at: clock.now() - 1 })],
];

describe.each(ENDS)("a key that was %s", (_how, code, end) => {
  it("is refused from the next message of its session on", async () => {
    const { id, secret: key } = await newKey();
    const session = await begin(gateway, key);
    expect((await send(gateway, OLD, rpc(OLD, 1, "ping"), { key, session })).status).toBe(200);
    await end(id);
    for (const response of [
      await send(gateway, OLD, toolCall(OLD, "chat", HELLO), { key, session }),
      await send(gateway, NEW, toolCall(NEW, "chat", HELLO), { key }),
      await without(gateway, "GET", { key, session }),
      await without(gateway, "DELETE", { key, session }),
    ]) {
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
      expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { data: { code } } });
    }
    expect(provider.chats).toEqual([]);
  });

  it("hears nothing more: its standing streams end", async () => {
    const { id, secret: key } = await newKey();
    const session = await begin(gateway, key);
    const standing = await OpenStream.of((signal) => without(gateway, "GET", { key, session, signal }));
    const listening = await OpenStream.of((signal) => {
      const listen = rpc(NEW, "l", "subscriptions/listen", { notifications: { toolsListChanged: true } });
      return send(gateway, NEW, listen, { key, signal });
    });
    await listening.until((text) => text.includes("acknowledged"));
    await end(id);
    await Promise.all([standing.ended, listening.ended]);
    // Only what waits now: some of it puts itself off again.
    const due = [...putOff];
    putOff.clear();
    for (const work of due) work();
    expect(standing.text + listening.text).not.toContain("list_changed");
  });

  it.each(ERAS)("while a tool runs ends it at the provider, once and for one receipt: %s", async (era) => {
    const { id, secret: key } = await newKey();
    const before = (await gateway.receipts()).length;
    provider.next(hang);
    const running = call(gateway, era, "chat", HELLO, { key });
    await provider.arrived(1);
    await end(id);
    await provider.last.aborted;
    const { status, messages } = await running;
    expect(messages.some(({ result }) => result !== undefined && result.isError !== true)).toBe(false);
    if (era === NEW) expect([status, messages[0]?.error?.data?.["code"]]).toEqual([401, code]);
    await until(async () => (await gateway.receipts()).length === before + 1);
    expect(await gateway.receipt()).toMatchObject({ endpoint: "chat", key: id, outcome: "cancelled" });
    expect(provider.chats).toHaveLength(1);
  });

  it.each(ERAS)("while a tool tells its progress ends it too: %s", async (era) => {
    const { id, secret: key } = await newKey();
    const session = era === OLD ? await begin(gateway, key) : undefined;
    provider.next(endlessStream(contentFrame("word "), 5));
    const running = await OpenStream.of((signal) =>
      send(gateway, era, toolCall(era, "chat", HELLO, { progressToken: "p" }), {
        key,
        signal,
        ...(session === undefined ? {} : { session }),
      }),
    );
    await running.until((text) => text.includes("notifications/progress"));
    await end(id);
    await provider.last.aborted;
    await running.ended;
    expect(running.messages.some(({ result }) => result !== undefined && result.isError !== true)).toBe(false);
    await until(async () => (await gateway.receipt()).key === id);
    expect((await gateway.receipt()).nano).toBeGreaterThan(0);
  });

  it.each(ERAS)("while its body was on its way is refused, not taken for a mistake of ours: %s", async (era) => {
    const { id, secret: key } = await newKey();
    const session = await begin(gateway, key);
    const body = JSON.stringify(rpc(era, 1, "tools/list"));
    const socket = await open(gateway.port);
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.write(
      request(
        "POST /mcp HTTP/1.1",
        [
          `Host: 127.0.0.1:${gateway.port}`,
          `Authorization: Bearer ${key}`,
          "Content-Type: application/json",
          "Accept: application/json, text/event-stream",
          "Expect: 100-continue",
          `Content-Length: ${body.length}`,
          `Mcp-Protocol-Version: ${era}`,
          ...(era === OLD ? [`Mcp-Session-Id: ${session}`] : ["Mcp-Method: tools/list"]),
        ],
        "",
      ),
    );
    // The key was looked at by now: the body is asked for.
    await until(() => text.includes("100 Continue"));
    await end(id);
    socket.write(body);
    await until(() => text.includes("}}}"));
    expect(text).toMatch(/HTTP\/1\.1 401/);
    expect(text).toContain(code);
    socket.destroy();
  });
});

it("other keys notice nothing of it", async () => {
  const { secret: key } = await newKey();
  const session = await begin(gateway, key);
  const standing = await OpenStream.of((signal) => without(gateway, "GET", { key, session, signal }));
  const { id } = await newKey();
  let release: () => void = () => undefined;
  provider.next(async ({ outgoing }) => {
    await new Promise<void>((resolve) => (release = resolve));
    outgoing.writeHead(200, { "content-type": "application/json" }).end('{"choices":[{"message":{"content":"Yes."}}]}');
  });
  const running = send(gateway, NEW, toolCall(NEW, "chat", HELLO), { key });
  await provider.arrived(1);
  await gateway.control("DELETE", `/keys/${id}`);
  release();
  const result = (await messagesOf(await running))[0]?.result;
  expect(result?.isError).toBeUndefined();
  expect(codeOf(result ?? { content: [] })).toBe(null);
  expect((await send(gateway, OLD, rpc(OLD, 1, "ping"), { key, session })).status).toBe(200);
  standing.leave();
});
