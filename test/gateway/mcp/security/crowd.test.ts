import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as modern from "@modelcontextprotocol/client";
import { completionText, contentFrame, FINISH_FRAME, usageFrame } from "../../../support/acts.ts";
import { startProvider, type Act, type MockProvider } from "../../../support/mock-provider.ts";
import { KEY, startGateway, until, type TestGateway } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { NEW, OLD, begin, call, post, rpc, send, toolCall, without, type Message } from "./wire.ts";
import { dose } from "../../../support/dose.ts";

/** Many clients at once, and many sessions over time. */

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/** Answers every question with itself, after a while that differs from question to question. */
const echo: Act = async ({ seen, outgoing }) => {
  const { messages, stream } = JSON.parse(seen.body.toString()) as {
    messages: { content: string }[];
    stream?: boolean;
  };
  const words = messages.at(-1)?.content ?? "";
  await new Promise((resolve) => setTimeout(resolve, words.length % 17));
  if (stream !== true) {
    outgoing.writeHead(200, { "content-type": "application/json" }).end(completionText(words));
    return;
  }
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  for (const word of words.split(" ")) outgoing.write(contentFrame(`${word} `));
  outgoing.end(`${FINISH_FRAME}${usageFrame()}data: [DONE]\n\n`);
};

let provider: MockProvider;
let gateway: TestGateway;
const clock = new TestClock();
const timers = new Set<{ at: number; work: () => void }>();
let elapsed = 0;
const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => void rejections.push(reason);
const warnings: string[] = [];
const onWarning = (warning: Error): void => void warnings.push(`${warning.name}: ${warning.message}`);
beforeAll(async () => {
  process.on("unhandledRejection", onRejection);
  process.on("warning", onWarning);
  provider = await startProvider();
  gateway = await startGateway({
    provider,
    clock,
    later: (ms, work) => {
      const timer = { at: elapsed + ms, work };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
});
beforeEach(() => {
  provider.reset();
  provider.usual = echo;
});
afterAll(async () => {
  await gateway.close();
  await provider.close();
  process.off("unhandledRejection", onRejection).off("warning", onWarning);
});

function pass(ms: number): void {
  clock.advance(ms);
  elapsed += ms;
  for (const timer of timers) if (timer.at <= elapsed && timers.delete(timer)) timer.work();
}

const CLIENTS = dose(20, 200);
const CALLS = 5;

/** Responses of an id that the call did not have, of another client, or with another's progress. */
function strangers(messages: readonly Message[], id: unknown, token: string, marker: string): string[] {
  return messages.flatMap((message) => {
    if (message.method === "notifications/progress")
      return message.params?.["progressToken"] === token ? [] : [JSON.stringify(message)];
    const text = JSON.stringify(message.result?.structuredContent?.["text"]);
    return message.id === id && text.includes(marker) ? [] : [JSON.stringify(message)];
  });
}

describe("a crowd of clients at the same time, of both eras", () => {
  it("each get their own responses, progress and ids", { timeout: 600_000 }, async () => {
    const wrong: string[] = [];
    let answered = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        const era = client % 2 === 0 ? OLD : NEW;
        const session = era === OLD ? await begin(gateway) : undefined;
        // All clients count their requests from the same number, as real ones do.
        await Promise.all(
          Array.from({ length: CALLS }, async (_nothing, id) => {
            const marker = `marker-${client}-${id}-${"x".repeat(client % 13)}`;
            const progressToken = client % 3 === 0 ? `token-${id}` : `token-${client}-${id}`;
            const { status, messages } = await call(
              gateway,
              era,
              "chat",
              { model: "gpt-4.1", prompt: `Say ${marker} back to me.` },
              { id, progressToken, ...(session === undefined ? {} : { session }) },
            );
            if (status !== 200) wrong.push(`${client}: HTTP ${status}`);
            wrong.push(...strangers(messages, id, progressToken, marker));
            answered += messages.filter((message) => message.id === id).length;
          }),
        );
      }),
    );
    expect(wrong).toEqual([]);
    expect(answered).toBe(CLIENTS * CALLS);
    expect(provider.chats).toHaveLength(CLIENTS * CALLS);
  });

  it("as the real SDKs speak", { timeout: 600_000 }, async () => {
    const requestInit = { headers: { authorization: `Bearer ${KEY}` } };
    const url = new URL(`${gateway.url}/mcp`);
    const events = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const client =
          n % 2 === 0
            ? new Client({ name: "old", version: "1" })
            : new modern.Client({ name: "new", version: "1" }, { versionNegotiation: { mode: "auto" } });
        await (client as Client).connect(
          n % 2 === 0
            ? new StreamableHTTPClientTransport(url, { requestInit })
            : new modern.StreamableHTTPClientTransport(url, { requestInit }),
        );
        const result = await (client as Client).callTool({
          name: "chat",
          arguments: { model: "gpt-4.1", prompt: `client ${n}.` },
        });
        await client.close();
        return (result.structuredContent as { text: string }).text;
      }),
    );
    expect(events).toEqual(Array.from({ length: 60 }, (_, n) => `client ${n}.`));
  });
});

describe("thousands of sessions", () => {
  const collect = async (): Promise<number> => {
    // Twice: what a finalizer lets go of is collected by the second.
    for (let round = 0; round < 2; round++) {
      gc();
      await turn();
    }
    return process.memoryUsage().heapUsed / 1_048_576;
  };
  const handles = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

  it("leave memory, timers and listeners bounded, and the idle ones go", { timeout: 300_000 }, async () => {
    const keys = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const { secret } = await gateway.ask<{ secret: string }>("POST", "/keys", { name: `session maker ${n}` });
        return secret;
      }),
    );
    const count = async (): Promise<number> => (await gateway.ask<{ sessions: number }>("GET", "/mcp")).sessions;
    const open = async (from: number, to: number): Promise<void> => {
      for (let n = from; n < to; n += 50)
        await Promise.all(Array.from({ length: 50 }, (_, k) => begin(gateway, keys[(n + k) % keys.length])));
    };
    // Timers that the gateway has without any session.
    const soon = (): number => [...timers].filter(({ at }) => at - elapsed <= 15_000).length;
    pass(31 * 60_000);
    pass(15_000);
    await collect();
    const before = await collect();
    const resting = soon();
    await open(0, 1_000);
    const timersThen = handles();
    await open(1_000, dose(1_100, 2_000));
    const after = await collect();
    expect(await count()).toBeLessThanOrEqual(1_000);
    expect(handles()).toBeLessThan(timersThen + 50);
    // Idle for half an hour.
    pass(31 * 60_000);
    pass(15_000);
    await until(async () => (await count()) === 0);
    const idle = await collect();
    expect(after - before).toBeLessThan(64);
    expect(idle - before).toBeLessThan(16);
    // The sweep does not go on without sessions.
    expect(soon()).toBeLessThanOrEqual(resting);
    expect(warnings).toEqual([]);
  });

  it(
    "a session whose requests are many keeps no more than its bounds, and no listener of each",
    { timeout: 600_000 },
    async () => {
      const session = await begin(gateway);
      const round = (from: number): Promise<unknown[]> =>
        Promise.all(
          Array.from({ length: 100 }, async (_, n) => {
            const response = await send(gateway, OLD, toolCall(OLD, "get_quota", {}, { id: from + n }), { session });
            return response.text();
          }),
        );
      await round(0);
      const before = await collect();
      for (let n = 1; n < dose(3, 30); n++) await round(n * 100);
      const after = await collect();
      expect(after - before).toBeLessThan(16);
      await without(gateway, "DELETE", { session });
      expect(warnings).toEqual([]);
    },
  );

  it("one key's flood of sessions leaves another's alone", async () => {
    const { secret } = await gateway.ask<{ secret: string }>("POST", "/keys", { name: "flood" });
    const mine = await begin(gateway);
    for (let n = 0; n < 150; n += 50) await Promise.all(Array.from({ length: 50 }, () => begin(gateway, secret)));
    expect((await gateway.ask<{ sessions: number }>("GET", "/mcp")).sessions).toBeLessThanOrEqual(110);
    expect((await send(gateway, OLD, rpc(OLD, 1, "ping"), { session: mine })).status).toBe(200);
  });
});

it("streams that are opened and left many times leave no timer and no listener", { timeout: 600_000 }, async () => {
  const session = await begin(gateway);
  const timersBefore = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  for (let n = 0; n < dose(2, 20); n++) {
    const stop = new AbortController();
    const listen = rpc(NEW, n, "subscriptions/listen", { notifications: { toolsListChanged: true } });
    const streams = await Promise.all(
      Array.from({ length: 50 }, () => send(gateway, NEW, listen, { signal: stop.signal })),
    );
    expect(streams.every(({ status }) => status === 200)).toBe(true);
    stop.abort();
    const standing = new AbortController();
    await without(gateway, "GET", { session, signal: standing.signal });
    standing.abort();
  }
  await until(() => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length < timersBefore + 20);
  // There is room again for a stream: none of those that were left counts any more.
  const response = await post(
    gateway,
    rpc(NEW, "n", "subscriptions/listen", { notifications: { toolsListChanged: true } }),
    {
      headers: { "mcp-protocol-version": NEW, "mcp-method": "subscriptions/listen" },
    },
  );
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  await response.body?.cancel();
  expect(warnings).toEqual([]);
});

it("one key's streams of changes leave room for those of others", async () => {
  const { secret } = await gateway.ask<{ secret: string }>("POST", "/keys", { name: "listener" });
  const listen = rpc(NEW, 1, "subscriptions/listen", { notifications: { toolsListChanged: true } });
  const stop = new AbortController();
  const streams = await Promise.all(
    Array.from({ length: 300 }, () => send(gateway, NEW, listen, { key: secret, signal: stop.signal })),
  );
  const open = streams.filter((one) => one.headers.get("content-type")?.startsWith("text/event-stream") === true);
  expect(open).toHaveLength(64);
  const refused = streams.find((one) => !open.includes(one));
  expect(await refused?.json()).toMatchObject({ id: 1, error: { code: -32_603 } });
  const mine = await send(gateway, NEW, listen, { signal: stop.signal });
  expect(mine.headers.get("content-type")).toContain("text/event-stream");
  stop.abort();
});

it("none of this was a mistake that no one caught", () => {
  expect(rejections).toEqual([]);
});
