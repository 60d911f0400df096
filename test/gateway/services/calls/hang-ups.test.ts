import type { Socket } from "node:net";
import { beforeEach, expect, it } from "vitest";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import { after, completion, contentFrame, hang, stream, streamFrames } from "../../../support/acts.ts";
import { type Act } from "../../../support/mock-provider.ts";
import { open } from "../../../support/raw-http.ts";
import { CHAT, KEY, until } from "../../../support/running-gateway.ts";
import { dose } from "../../../support/dose.ts";
import { seededRandom } from "../../store/fixtures.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const LIMITED = "sk-test-limited-key-0002";
const provider = useProvider();
const postern = useGateway(() => ({ provider, keys: [{ key: LIMITED, name: "limited", limit_usd: 1_000 }] }));
beforeEach(() => provider.reset());

/** Sends a chat request over a bare socket. */
async function ask(body: unknown, key = KEY): Promise<Socket> {
  const socket = await open(postern.port);
  socket.on("error", () => {});
  const text = JSON.stringify(body);
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${postern.port}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  return socket;
}

const received = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once("data", resolve));
/** A body that is no stream, and does not end. */
const halfJson: Act = ({ outgoing, sent }) => {
  outgoing.writeHead(200, { "content-type": "application/json" }).write('{"choices":', () => sent(1));
};

const settled = (): Promise<void> => until(() => postern.gateway.state().in_flight === 0);

/** The head of the provider's response has come; its client has seen nothing of it. */
async function halfRead(): Promise<void> {
  await until(() => provider.bytesSent > 0);
  // What the kernel has is read within a few turns of the event loop.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Who leaves when: the call, how the provider behaves, and what is waited for before the client is gone. */
const moments: readonly (readonly [string, boolean, Act, (socket: Socket) => Promise<unknown>, string])[] = [
  ["while the provider thinks about a whole answer", false, hang, () => provider.arrived(1), "cancelled"],
  ["while the provider thinks about a stream", true, hang, () => provider.arrived(1), "cancelled"],
  ["in the middle of what its provider sends instead of a stream", true, halfJson, halfRead, "cancelled"],
  [
    "in the middle of a stream",
    true,
    stream(
      // Far longer than a test may take.
      Array.from({ length: 100_000 }, () => contentFrame("word ")),
      5,
    ),
    received,
    "cancelled",
  ],
];

it.each(moments)(
  "a client that leaves %s takes the provider's call with it",
  async (_name, streaming, act, moment, outcome) => {
    for (const leave of ["destroy", "resetAndDestroy"] as const) {
      provider.reset();
      provider.next(act);
      const socket = await ask({ ...CHAT, stream: streaming }, LIMITED);
      await moment(socket);
      socket[leave]();
      await provider.last.aborted;
      await settled();
      const receipt = await postern.receipt();
      expect(receipt).toMatchObject({ outcome, code: "client_closed", estimated: true });
      expect(receipt.nano).toBeGreaterThan(0);
    }
  },
);

it("a client that leaves during the wait for a retry stops the retry", async () => {
  provider.usual = (exchange) =>
    exchange.outgoing.writeHead(429, { "retry-after": "30" }).end("{}") as unknown as undefined;
  const socket = await ask(CHAT);
  // The provider's key cools down when its response has been read: from then on Postern waits.
  await until(async () => {
    const { data } = await postern.ask<{ data: ConnectionView[] }>("GET", "/connections");
    return data.some(({ credentials }) => credentials.some(({ state }) => state === "cooling"));
  });
  socket.destroy();
  await settled();
  expect(provider.chats).toHaveLength(1);
  expect(await postern.receipt()).toMatchObject({ outcome: "cancelled", nano: 0, status: 499, code: "client_closed" });
});

it("of many clients that leave at random moments: every call is settled once, no hold stays, the gateway is well", async () => {
  const random = seededRandom(20_261_120);
  const words = streamFrames(Array.from({ length: 40 }, () => "word "));
  provider.usual = (exchange) => {
    const act = [completion(), stream(words, 1), stream(words), after(3, completion()), hang][
      provider.chats.length % 5
    ];
    return act?.(exchange);
  };
  const receiptsBefore = await countReceipts();
  const request = { count: 0 };
  const one = async (): Promise<void> => {
    const socket = await ask({ ...CHAT, stream: random() < 0.7 }, LIMITED);
    request.count += 1;
    const closed = new Promise((resolve) => socket.once("close", resolve));
    let toTake = Math.floor(random() * 3_000);
    const leave = (): void => void (random() < 0.5 ? socket.resetAndDestroy() : socket.destroy());
    const timer = setTimeout(leave, random() * 25);
    socket.on("data", (chunk: Buffer) => {
      toTake -= chunk.length;
      if (toTake <= 0) leave();
    });
    await closed;
    clearTimeout(timer);
  };
  const worker = async (): Promise<void> => {
    while (request.count < dose(150, 1_000)) await one();
  };
  await Promise.all(Array.from({ length: 25 }, worker));
  await settled();

  expect(await postern.keyView("limited")).toMatchObject({ held_nano: 0, in_flight: 0, state: "active" });
  // A client that left before its request was read is not known; every call that the provider saw has one receipt.
  const receipts = (await countReceipts()) - receiptsBefore;
  expect(receipts).toBeGreaterThanOrEqual(provider.chats.length);
  expect(receipts).toBeLessThanOrEqual(request.count);
  provider.reset();
  expect((await postern.chat()).status).toBe(200);
  await until(() => provider.openSockets < 30);
});

async function countReceipts(): Promise<number> {
  const { total } = await postern.ask<{ total: { requests: number } }>("GET", "/usage");
  return total.requests;
}
