import { beforeEach, describe, expect, it } from "vitest";
import { dose } from "../../../support/dose.ts";
import { completion, contentFrame, endlessStream, hang, when } from "../../../support/acts.ts";
import { KEY, until } from "../../../support/running-gateway.ts";
import { ERAS, NEW, OLD, OpenStream, begin, rpc, send, toolCall, without, type Era, type Message } from "./wire.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

/** A client that leaves in the middle of a call: each revision has a rule of its own for it. */

const provider = useProvider();
const gateway = useGateway(() => ({ provider }));
beforeEach(() => provider.reset());

const HELLO = { model: "gpt-4.1", prompt: "Say hello." };

/** Calls `chat` and is left with the open answer once the provider has the question. */
async function asking(era: Era, session: string | undefined, progressToken?: string): Promise<OpenStream> {
  const arrived = provider.arrived(provider.chats.length + 1);
  const stop = new AbortController();
  const message = toolCall(era, "chat", HELLO, { id: 7, ...(progressToken === undefined ? {} : { progressToken }) });
  const response = send(gateway, era, message, { signal: stop.signal, ...(session === undefined ? {} : { session }) });
  await arrived;
  // Without progress the newer era answers nothing before the end, not even the head.
  if (era === NEW && progressToken === undefined) {
    const left = response.catch(() => new Response(null));
    return OpenStream.of(async (signal) => {
      stop.abort();
      signal.throwIfAborted();
      return left;
    });
  }
  const open = await response;
  return OpenStream.of(async (signal) => {
    signal.addEventListener("abort", () => stop.abort());
    return open;
  });
}

const count = async (): Promise<number> => (await gateway.receipts()).length;
const inFlight = async (): Promise<{ held_nano: number; in_flight: number }[]> =>
  (await gateway.ask<{ data: { held_nano: number; in_flight: number }[] }>("GET", "/keys")).data;

async function expectOneMore(before: number, outcome: string): Promise<void> {
  await until(async () => (await count()) === before + 1);
  expect(await gateway.receipt()).toMatchObject({ endpoint: "chat", outcome });
  for (const key of await inFlight()) expect(key).toMatchObject({ held_nano: 0, in_flight: 0 });
  expect(await count()).toBe(before + 1);
}

describe("2026-07-28: who leaves cancels", () => {
  it("a call before its first byte", async () => {
    const before = await count();
    provider.next(hang);
    await asking(NEW, undefined);
    await provider.last.aborted;
    await expectOneMore(before, "cancelled");
    expect(await gateway.receipt()).toMatchObject({ status: 499, code: "client_closed" });
  });

  it("a call that tells its progress, for what was made until then", async () => {
    const before = await count();
    provider.next(endlessStream(contentFrame("word "), 5));
    const open = await asking(NEW, undefined, "p");
    await open.until((text) => text.includes("has written"));
    open.leave();
    await provider.last.aborted;
    await expectOneMore(before, "cancelled");
    expect((await gateway.receipt()).nano).toBeGreaterThan(0);
  });
});

describe("older revisions: who leaves does not cancel", () => {
  const resume = (session: string, last: string): Promise<Response> =>
    without(gateway, "GET", { session, headers: { "last-event-id": last } });

  it.each([undefined, "p"])(
    "the response is there when it comes back, paid once (progress token %s)",
    async (token) => {
      const before = await count();
      const session = await begin(gateway);
      const ready = Promise.withResolvers<void>();
      provider.next(
        when(
          ready.promise,
          token === undefined
            ? completion("Kept for you.")
            : async ({ outgoing }) => {
                outgoing.writeHead(200, { "content-type": "text/event-stream" });
                outgoing.end(`${contentFrame("Kept for you.")}data: [DONE]\n\n`);
              },
        ),
      );
      const open = await asking(OLD, session, token);
      await open.until((text) => /^id: .+$/m.test(text));
      const last = [...open.text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? "";
      open.leave();
      await open.ended;
      expect(provider.aborts).toBe(0);
      ready.resolve();
      await expectOneMore(before, "completed");
      const response = await resume(session, last);
      const text = await response.text();
      expect(text).toContain("Kept for you.");
      expect(text).toContain('"id":7');
      expect(provider.chats).toHaveLength(1);
      expect(await count()).toBe(before + 1);
    },
  );

  it("another key cannot fetch it with the same id", async () => {
    const session = await begin(gateway);
    provider.next(completion("Only mine."));
    const open = await asking(OLD, session);
    await open.ended;
    const first = /^id: (.+)$/m.exec(open.text)?.[1] ?? "";
    const { secret } = await gateway.ask<{ secret: string }>("POST", "/keys", { name: "curious" });
    const theirs = await begin(gateway, secret);
    for (const [id, status] of [
      [session, 404],
      [theirs, null],
    ] as const) {
      const response = await without(gateway, "GET", { key: secret, session: id, headers: { "last-event-id": first } });
      if (status === null) {
        // The event is unknown in their session: they are reported that, or get a stream of news in which it never comes.
        const stream = await OpenStream.of(async () => response);
        await response.body?.cancel().catch(() => undefined);
        expect(stream.text).not.toContain("Only mine.");
      } else {
        expect(response.status).toBe(status);
        expect(await response.text()).not.toContain("Only mine.");
      }
    }
    await gateway.control(
      "DELETE",
      `/keys/${((await inFlight()) as unknown as { id: string; name: string }[]).find(({ name }) => name === "curious")?.id}`,
    );
  });

  it("notifications/cancelled does cancel: the provider is left, the money settled", async () => {
    const before = await count();
    const session = await begin(gateway);
    provider.next(hang);
    const open = await asking(OLD, session);
    const cancel = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 7, reason: "changed my mind" },
    };
    expect((await send(gateway, OLD, cancel, { session })).status).toBe(202);
    await provider.last.aborted;
    expect(await open.ended).toBe(true);
    expect(open.messages.filter(({ result, error }) => result !== undefined || error !== undefined)).toEqual([]);
    await expectOneMore(before, "cancelled");
  });

  it.each<[Era, string]>([
    [OLD, "cancels by a message"],
    [NEW, "leaves"],
  ])("%s: a client that takes JSON alone and %s ends its call", async (era, way) => {
    const before = await count();
    const session = era === OLD ? { session: await begin(gateway) } : {};
    const arrived = provider.arrived(provider.chats.length + 1);
    provider.next(hang);
    const stop = new AbortController();
    const headers = { accept: "application/json" };
    const message = toolCall(era, "chat", HELLO, { id: 7, progressToken: "p" });
    const call = send(gateway, era, message, { signal: stop.signal, headers, ...session }).catch(() => null);
    await arrived;
    if (way === "leaves") stop.abort();
    else
      await send(
        gateway,
        OLD,
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } },
        session,
      );
    await provider.last.aborted;
    const response = await call;
    expect([response?.status, await response?.text()]).toEqual(era === OLD ? [202, ""] : [undefined, undefined]);
    await expectOneMore(before, "cancelled");
  });

  it.each<[string, unknown]>([
    ["another id", { requestId: 8 }],
    ["the same number as text", { requestId: "7" }],
    ["an object", { requestId: { id: 7 } }],
    ["nothing", {}],
    ["a list", [7]],
  ])("a cancellation that names %s cancels nothing", async (_what, params) => {
    const session = await begin(gateway);
    const ready = Promise.withResolvers<void>();
    provider.next(when(ready.promise, completion("Still here.")));
    const open = await asking(OLD, session);
    const response = await send(
      gateway,
      OLD,
      { jsonrpc: "2.0", method: "notifications/cancelled", params },
      { session },
    );
    expect([202, 400]).toContain(response.status);
    ready.resolve();
    await open.ended;
    expect(open.text).toContain("Still here.");
    expect(provider.aborts).toBe(0);
  });

  it("a cancellation in another session of the same key cancels nothing", async () => {
    const session = await begin(gateway);
    const other = await begin(gateway);
    const ready = Promise.withResolvers<void>();
    provider.next(when(ready.promise, completion("Still here.")));
    const open = await asking(OLD, session);
    await send(
      gateway,
      OLD,
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } },
      { session: other },
    );
    await send(gateway, NEW, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
    ready.resolve();
    await open.ended;
    expect(open.text).toContain("Still here.");
  });

  it("DELETE of the session ends its calls, settled", async () => {
    const before = await count();
    const session = await begin(gateway);
    provider.next(hang);
    const open = await asking(OLD, session);
    expect((await without(gateway, "DELETE", { session })).status).toBe(200);
    await provider.last.aborted;
    expect(await open.ended).toBe(true);
    await expectOneMore(before, "cancelled");
  });
});

describe("requests of one session that bear the same id at once", () => {
  it("are not mixed up: each is answered or refused, and the first gets its own response", async () => {
    const session = await begin(gateway);
    const ready = Promise.withResolvers<void>();
    provider.next(when(ready.promise, completion("The first.")));
    const first = await asking(OLD, session);
    const second = await OpenStream.of((signal) =>
      send(gateway, OLD, rpc(OLD, 7, "tools/call", { name: "get_quota", arguments: {} }), { session, signal }),
    );
    await second.ended;
    ready.resolve();
    await first.ended;
    const responses = ({ messages }: OpenStream): readonly Message[] => messages.filter(({ id }) => id === 7);
    expect(responses(first)).toHaveLength(1);
    expect(first.text).toContain("The first.");
    expect(second.text).not.toContain("The first.");
  });
});

it.each(ERAS)("a client that leaves while its body is on the way costs nothing: %s", async (era) => {
  const before = await count();
  const stop = new AbortController();
  const received = Promise.withResolvers<void>();
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(JSON.stringify(toolCall(era, "chat", HELLO)).slice(0, -2)));
    },
    // More is asked for when what is there has gone out.
    pull: () => received.resolve(),
  });
  const sending = fetch(`${gateway.url}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json", "mcp-protocol-version": era },
    body,
    signal: stop.signal,
    duplex: "half",
  }).catch(() => null);
  await received.promise;
  stop.abort();
  await sending;
  expect(provider.chats).toEqual([]);
  expect(await count()).toBe(before);
});

/** Last: more receipts than one page of them holds. */
it("hundreds of clients of the newer revision that leave have nothing held", { timeout: 600_000 }, async () => {
  const before = await count();
  provider.usual = hang;
  const rounds = dose(4, 20);
  for (let round = 1; round <= rounds; round++) {
    const stop = new AbortController();
    const calls = Array.from({ length: 50 }, (_, id) =>
      send(gateway, NEW, toolCall(NEW, "chat", HELLO, { id }), { signal: stop.signal }).catch(() => null),
    );
    await provider.arrived(50 * round);
    stop.abort();
    await Promise.all(calls);
  }
  await until(async () => (await inFlight())[0]?.in_flight === 0);
  expect((await inFlight())[0]).toMatchObject({ held_nano: 0, in_flight: 0 });
  await until(() => provider.aborts === 50 * rounds);
  const receipts = await gateway.receipts(500);
  expect(new Set(receipts.map(({ id }) => id)).size).toBe(receipts.length);
  expect(receipts.length).toBe(Math.min(500, before + 50 * rounds));
});
