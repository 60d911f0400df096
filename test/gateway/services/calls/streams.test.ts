import { beforeEach, describe, expect, it } from "vitest";
import { DONE_FRAME, FINISH_FRAME, contentFrame, endlessStream } from "../../../support/acts.ts";
import { open } from "../../../support/raw-http.ts";
import { CHAT, KEY, until } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const clock = new TestClock();
const provider = useProvider();
const postern = useGateway(() => ({ provider, clock }));
beforeEach(() => provider.reset());

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
      const pending = postern.chat({ ...CHAT, stream: true });
      await provider.arrived(1);
      clock.advance(15_001);
      const response = await pending;
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
