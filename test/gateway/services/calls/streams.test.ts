import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chatUnits } from "../../../../gateway/core/chat/chat-usage.ts";
import { StreamRelay } from "../../../../gateway/services/calls/stream-relay.ts";
import { chatDialect } from "../../../../gateway/services/chat/dialects/chat.ts";
import { untouched } from "../../../../gateway/services/chat/chat-plan.ts";
import { StreamReader } from "../../../../gateway/services/calls/stream-reader.ts";
import { StreamWatch } from "../../../../gateway/services/calls/stream-relay.ts";
import { ProviderClient } from "../../../../gateway/upstream/provider-client.ts";
import {
  DONE_FRAME,
  FINISH_FRAME,
  contentFrame,
  endlessStream,
  streamThenHang,
  when,
  stream,
} from "../../../support/acts.ts";
import { startProvider } from "../../../support/mock-provider.ts";
import type { MockProvider } from "../../../support/mock-provider.ts";
import { open } from "../../../support/raw-http.ts";
import { CHAT, KEY, startGateway, until } from "../../../support/running-gateway.ts";
import type { TestGateway } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";

const clock = new TestClock();
let provider: MockProvider;
let postern: TestGateway;
const providerClient = new ProviderClient();
beforeAll(async () => {
  provider = await startProvider();
  postern = await startGateway({ provider, clock });
});
beforeEach(() => provider.reset());
afterAll(async () => {
  await providerClient.close();
  await postern.close();
  await provider.close();
});

/** A writer that keeps what it gets, and is full when the test says so. */
function memoryWriter() {
  let drain: () => void = () => {};
  return {
    text: "",
    full: false,
    destroyed: false,
    open() {},
    write(bytes: Buffer | string) {
      this.text += String(bytes);
      return !this.full;
    },
    onDrain: (listener: () => void) => void (drain = listener),
    drained() {
      this.full = false;
      drain();
    },
    end: () => Promise.resolve(),
    destroy() {
      this.destroyed = true;
    },
  };
}

async function openStream(): Promise<StreamRelay> {
  const request = {
    origin: `http://127.0.0.1:${provider.port}`,
    path: "/v1/chat/completions",
    method: "POST",
    headers: {},
    body: "{}",
    headTimeout: 5_000,
    gapTimeout: 5_000,
  } as const;
  const exchange = await providerClient.open(request).response;
  return new StreamRelay(exchange, new StreamReader(chatDialect.observer(chatUnits), untouched(chatDialect)), {
    largest: 1,
    clock,
    heartbeat: chatDialect.heartbeat,
    objection: () => null,
    cover: () => Number.POSITIVE_INFINITY,
  });
}

describe("silence", () => {
  it.each(["before its head", "behind its head"])(
    "of a provider %s is bridged with a head and heartbeats of ours",
    async (where) => {
      let go: () => void = () => {};
      const gate = new Promise<void>((resolve) => (go = resolve));
      provider.next(async ({ outgoing }) => {
        const head = (): unknown => outgoing.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
        if (where === "behind its head") head();
        await gate;
        if (where === "before its head") head();
        outgoing.end(contentFrame("late") + FINISH_FRAME + DONE_FRAME);
      });
      const asked = postern.chat({ ...CHAT, stream: true });
      await provider.arrived(1);
      clock.advance(15_001);
      const response = await asked;
      expect(response.status).toBe(200);
      let text = "";
      for await (const part of response.body ?? []) {
        text += Buffer.from(part as Uint8Array).toString("utf8");
        if (text === ": keep-alive\n\n") clock.advance(16_000);
        else go();
      }
      expect(text).toBe(`: keep-alive\n\n: keep-alive\n\n${contentFrame("late")}${FINISH_FRAME}${DONE_FRAME}`);
      expect((await postern.receipt()).outcome).toBe("completed");
    },
  );

  it("that ends in a failure is told in-band, without an end mark and without a charge", async () => {
    let go: () => void = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    provider.next(async ({ outgoing }) => {
      await gate;
      outgoing.writeHead(400, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ error: { message: "no such thing", type: "invalid_request_error", code: "x" } }));
    });
    const asked = postern.chat({ ...CHAT, stream: true });
    await provider.arrived(1);
    clock.advance(15_001);
    const response = await asked;
    expect(response.status).toBe(200);
    go();
    const text = await response.text();
    expect(text).toMatch(/^(: keep-alive\n\n)+data: \{"error":\{"message":"no such thing"/);
    expect(text).not.toContain("[DONE]");
    expect(await postern.receipt()).toMatchObject({ outcome: "failed", nano: 0 });
  });

  it("in the middle of a stream reaches a real client as comments, and its receipt says nothing of them", async () => {
    let go: () => void = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    provider.next(async ({ outgoing }) => {
      outgoing.writeHead(200, { "content-type": "text/event-stream" }).write(contentFrame("one"));
      await gate;
      outgoing.end(contentFrame("two") + FINISH_FRAME + DONE_FRAME);
    });
    const response = await postern.chat({ ...CHAT, stream: true });
    let text = "";
    for await (const part of response.body ?? []) {
      text += Buffer.from(part as Uint8Array).toString("utf8");
      if (text === contentFrame("one")) clock.advance(16_000);
      else go();
    }
    expect(text).toBe(`${contentFrame("one")}: keep-alive\n\n${contentFrame("two")}${FINISH_FRAME}${DONE_FRAME}`);
    expect((await postern.receipt()).outcome).toBe("completed");
  });
});

describe("a reader that stalls", () => {
  it("pauses the provider, and is given up after two minutes but not before", async () => {
    provider.next(endlessStream(contentFrame("x".repeat(10_000)), 0));
    const stream = await openStream();
    await stream.begin();
    const writer = memoryWriter();
    writer.full = true;
    const ended = stream.flow(writer);
    const watch = new StreamWatch(clock);
    const place = watch.add(stream);
    await until(() => stream.stalledSince !== null);
    const size = writer.text.length;
    clock.advance(119_000);
    watch.sweep();
    expect([writer.destroyed, writer.text.length]).toEqual([false, size]);
    writer.drained();
    await until(() => writer.text.length > size);
    writer.full = true;
    await until(() => stream.stalledSince !== null);
    clock.advance(121_000);
    watch.sweep();
    expect(writer.destroyed).toBe(true);
    expect((await ended).kind).toBe("cancelled");
    await provider.last.aborted;
    watch.delete(place, stream);
  });

  it("costs bounded memory: 20 of them stop a provider that sends without end", async () => {
    provider.usual = endlessStream(contentFrame("x".repeat(100_000)), 0);
    const body = JSON.stringify({ ...CHAT, stream: true });
    const sockets = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = await open(postern.port);
        socket.on("error", () => {});
        socket.write(
          `POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${postern.port}\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
        socket.pause();
        return socket;
      }),
    );
    await provider.arrived(20);
    const sizes: number[] = [];
    await until(() => {
      sizes.push(provider.bytesSent);
      return sizes.length > 40 && sizes.at(-1) === sizes.at(-40);
    });
    // What the kernels on the way take, some megabytes each, and no more.
    expect(provider.bytesSent / 20).toBeLessThan(16_000_000);
    for (const socket of sockets) socket.destroy();
    await until(() => postern.gateway.state().in_flight === 0);
    expect(await postern.receipt()).toMatchObject({ outcome: "cancelled", code: "client_closed" });
  });
});

it("errors before the first event have a status, even behind comments and after a pause", async () => {
  const gate = new Promise<void>((resolve) => setTimeout(resolve, 30));
  provider.usual = when(
    gate,
    stream([": OPENROUTER PROCESSING\n\n", 'data: {"error":{"message":"bad prompt","code":400}}\n\n'], 5),
  );
  const response = await postern.chat({ ...CHAT, stream: true });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("bad prompt");
});

it("lets go of the provider when its client has left", async () => {
  for (const act of [stream(), streamThenHang([contentFrame("x")])]) {
    provider.next(act);
    const leaving = new AbortController();
    const response = await postern.chat({ ...CHAT, stream: true }, KEY, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
  }
  await until(() => postern.gateway.state().in_flight === 0);
  await until(() => provider.openSockets <= 2);
  await expect.poll(() => provider.aborts).toBeGreaterThan(0);
});
