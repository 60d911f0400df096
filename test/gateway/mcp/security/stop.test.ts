import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LazyMcp } from "../../../../gateway/mcp/lazy-mcp.ts";
import { completion, contentFrame, endlessStream, when } from "../../../support/acts.ts";
import { startProvider, type MockProvider } from "../../../support/mock-provider.ts";
import { open, request } from "../../../support/raw-http.ts";
import { KEY, startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { ERAS, NEW, OLD, OpenStream, begin, messagesOf, rpc, send, toolCall, without } from "./wire.ts";

/** Postern is stopped while clients listen and tools run. */

let provider: MockProvider;
let gateway: TestGateway;
beforeEach(async () => {
  provider = await startProvider();
  // What would hold a stop up would hold it up for longer than a test may take.
  gateway = await startGateway({ provider, drainMs: 600_000 });
});
afterEach(async () => {
  await gateway.close();
  await provider.close();
});

const HELLO = { model: "gpt-4.1", prompt: "Say hello." };
const LISTEN = rpc(NEW, "news", "subscriptions/listen", { notifications: { toolsListChanged: true } });

/** The receipts of a gateway that has stopped, read by one that begins in its folder. */
async function receiptsAfter(): Promise<readonly { endpoint: string; outcome: string; nano: number | null }[]> {
  const { dataDir } = gateway;
  gateway = await startGateway({ provider, dataDir });
  return gateway.receipts();
}

it("calls end with their responses and are charged, streams end, and it is quick", async () => {
  const session = await begin(gateway);
  const standing = await OpenStream.of((signal) => without(gateway, "GET", { session, signal }));
  const listening = await OpenStream.of((signal) => send(gateway, NEW, LISTEN, { signal }));
  await listening.until((text) => text.includes("acknowledged"));
  const ready = Promise.withResolvers<void>();
  provider.usual = when(ready.promise, completion("In time."));
  const calls = ERAS.map(async (era) => {
    const options = era === OLD ? { session } : {};
    return messagesOf(await send(gateway, era, toolCall(era, "chat", HELLO, { id: 9 }), options));
  });
  await provider.arrived(2);
  const stopped = gateway.stop();
  // The standing stream ends at once: no one waits for a response on it.
  await standing.ended;
  ready.resolve();
  for (const messages of await Promise.all(calls))
    expect(messages.at(-1)).toMatchObject({ id: 9, result: { content: [{ text: "In time." }, {}] } });
  await listening.ended;
  await stopped;
  const receipts = await receiptsAfter();
  expect(receipts).toHaveLength(2);
  for (const receipt of receipts)
    expect(receipt).toMatchObject({ endpoint: "chat", outcome: "completed", nano: 60_000 });
});

it("streams alone hold nothing up", async () => {
  const session = await begin(gateway);
  const streams = await Promise.all([
    OpenStream.of((signal) => without(gateway, "GET", { session, signal })),
    ...Array.from({ length: 20 }, () => OpenStream.of((signal) => send(gateway, NEW, LISTEN, { signal }))),
  ]);
  await expect(gateway.stop()).resolves.toBeUndefined();
  await Promise.all(streams.map(({ ended }) => ended));
});

describe.each(ERAS)("in %s", (era) => {
  it("clients that left before they were answered are not waited for, not even those of the first moment", async () => {
    const body = gzipSync(JSON.stringify(toolCall(era, "chat", HELLO)));
    const head = [
      `Host: 127.0.0.1:${gateway.port}`,
      `Authorization: Bearer ${KEY}`,
      "Content-Type: application/json",
      // Unpacked next to the event loop: there is time to leave.
      "Content-Encoding: gzip",
      `Content-Length: ${body.length}`,
      `Mcp-Protocol-Version: ${era}`,
      "Mcp-Method: tools/call",
      "Mcp-Name: chat",
    ];
    for (let n = 0; n < 50; n++) {
      const socket = await open(gateway.port);
      socket.write(Buffer.concat([Buffer.from(request("POST /mcp HTTP/1.1", head)), body]));
      await new Promise((resolve) => setImmediate(resolve));
      socket.resetAndDestroy();
    }
    await expect(gateway.stop()).resolves.toBeUndefined();
  });

  it(
    "a call that does not end is ended after the time for it, charged for what was made",
    { timeout: 20_000 },
    async () => {
      await gateway.close();
      gateway = await startGateway({ provider, drainMs: 300 });
      const options = era === OLD ? { session: await begin(gateway) } : {};
      provider.usual = endlessStream(contentFrame("word "), 5);
      const running = await OpenStream.of((signal) =>
        send(gateway, era, toolCall(era, "chat", HELLO, { progressToken: 1 }), { ...options, signal }),
      );
      await running.until((text) => text.includes("has written"));
      await expect(gateway.stop()).resolves.toBeUndefined();
      await running.ended;
      await provider.last.aborted;
      const receipts = await receiptsAfter();
      expect(receipts).toHaveLength(1);
      expect(receipts[0]).toMatchObject({ endpoint: "chat", outcome: "interrupted" });
      expect(receipts[0]?.nano).toBeGreaterThan(0);
    },
  );

  it("what comes while it stops is sent away", async () => {
    const options = era === OLD ? { session: await begin(gateway) } : {};
    const ready = Promise.withResolvers<void>();
    provider.usual = when(ready.promise, completion("In time."));
    const running = send(gateway, NEW, toolCall(NEW, "chat", HELLO));
    await provider.arrived(1);
    // A connection that is open already: no new ones are taken.
    await send(gateway, era, rpc(era, 1, "tools/list"), options).then((response) => response.text());
    const stopped = gateway.stop();
    const late = await send(gateway, era, toolCall(era, "chat", HELLO), options).catch(() => null);
    if (late !== null) {
      expect(late.status).toBe(503);
      expect(await late.json()).toMatchObject({ error: { data: { code: "shutting_down" } } });
    }
    ready.resolve();
    await (await running).text();
    await stopped;
    expect(provider.chats).toHaveLength(1);
  });
});

it("a tool server that could not be loaded is tried again, and hinders no stop", async () => {
  let attempts = 0;
  const lazy = new LazyMcp(() => {
    attempts += 1;
    return Promise.reject(new Error("no such module"));
  });
  for (let n = 0; n < 2; n++) await expect(lazy.endpoint()).rejects.toThrow("no such module");
  expect(attempts).toBe(2);
  const pending = lazy.view();
  lazy.quiet();
  await lazy.close();
  await expect(pending).rejects.toThrow("no such module");
});
