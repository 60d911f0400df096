import { Socket, createServer, type AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ProviderClient, type UpstreamRequest } from "../../../gateway/upstream/provider-client.ts";
import { Transfer } from "../../../gateway/upstream/transfer.ts";
import type { UpstreamFailure } from "../../../gateway/upstream/failure.ts";
import type { BodySink } from "../../../gateway/upstream/decode.ts";
import {
  respond,
  contentFrame,
  gzipBomb,
  hang,
  rawBytes,
  reset,
  stream,
  streamThenCut,
  streamThenHang,
} from "../../support/acts.ts";
import { until } from "../../support/running-gateway.ts";
import { useProvider } from "../../support/use-gateway.ts";

const provider = useProvider();
const providerClient = new ProviderClient();
beforeEach(() => provider.reset());
afterAll(async () => {
  await providerClient.close();
});

function ask(change: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    origin: `http://127.0.0.1:${provider.port}`,
    path: "/v1/chat/completions",
    method: "POST",
    headers: { "x-test": "1" },
    body: "{}",
    headTimeout: 5_000,
    gapTimeout: 5_000,
    ...change,
  };
}

const failureOf = (work: Promise<unknown>): Promise<UpstreamFailure> =>
  work.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: UpstreamFailure) => error,
  );
const collect = async (limit = 1_000_000): Promise<string> =>
  (await (await providerClient.open(ask()).response).collect(limit)).toString("utf8");

/** A sink that keeps what it got. */
function sink(): BodySink & { text: string; bytes: number; over: Promise<UpstreamFailure | null> } {
  let tell: (failure: UpstreamFailure | null) => void = () => {};
  return {
    text: "",
    bytes: 0,
    over: new Promise((resolve) => (tell = resolve)),
    onData(chunk) {
      this.bytes += chunk.length;
      if (this.bytes < 10_000) this.text += chunk.toString("utf8");
    },
    onEnd: () => tell(null),
    onError: (failure) => tell(failure),
  };
}

it("sends what it is given and nothing else", async () => {
  provider.next(respond(201, "made", { "x-answer": "yes" }));
  const exchange = await providerClient.open(ask({ body: "the body", headers: { "x-one": "1" } })).response;
  expect([exchange.status, exchange.headers["x-answer"], (await exchange.collect(10)).toString()]).toEqual([
    201,
    "yes",
    "made",
  ]);
  expect(provider.last.body.toString()).toBe("the body");
  expect(Object.keys(provider.last.headers).toSorted()).toEqual(["connection", "content-length", "host", "x-one"]);
});

it("follows no redirect and ignores announcements", async () => {
  provider.next(
    respond(307, "", { location: "http://127.0.0.1:1/" }),
    rawBytes("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"),
  );
  expect((await providerClient.open(ask()).response).status).toBe(307);
  expect(await collect()).toBe("ok");
});

describe("says what failed, and whether the provider may have worked", () => {
  it.each([
    ["a provider that is not there", { origin: "http://127.0.0.1:1" }, hang, "refused", false],
    ["a name that does not exist", { origin: "http://nowhere.invalid" }, hang, "refused", false],
    ["a metadata address", { origin: "http://169.254.169.254" }, hang, "refused", false],
    ["an unspecified address", { origin: "http://0.0.0.0:80" }, hang, "refused", false],
    ["a provider that says nothing", { headTimeout: 300 }, hang, "head_timeout", true],
    ["a reset after the request", {}, reset, "broken", true],
    ["no HTTP", {}, rawBytes("SSH-2.0-OpenSSH_9\r\n"), "malformed", true],
    [
      "a head that is too large",
      {},
      rawBytes(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(100_000)}\r\n\r\n`),
      "malformed",
      true,
    ],
    ["a connection that closes", {}, rawBytes(""), "broken", true],
  ] as const)("%s", async (_name, change, act, kind, sent) => {
    provider.next(act);
    expect(await failureOf(providerClient.open(ask(change)).response)).toMatchObject({
      name: "UpstreamFailure",
      kind,
      sent,
    });
  });

  it.each([
    ["a body that stops", { gapTimeout: 300 }, streamThenHang(["half"]), "gap_timeout"],
    ["a body that is cut", {}, streamThenCut(["half"]), "broken"],
    ["a body that is reset", {}, streamThenCut(["half"], true), "broken"],
    ["a length that is too long", {}, rawBytes("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort"), "broken"],
    ["a bad chunk", {}, rawBytes("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\nhello\r\n"), "malformed"],
  ] as const)("%s", async (_name, change, act, kind) => {
    provider.next(act, act);
    const whole = await providerClient.open(ask(change)).response;
    expect(await failureOf(whole.collect(1_000))).toMatchObject({ kind, sent: true });
    const received = sink();
    (await providerClient.open(ask(change)).response).consume(received);
    expect(await received.over).toMatchObject({ kind });
  });
});

it("waits for who is not read as long as that lasts, and no longer", async () => {
  provider.next(streamThenHang(["half"]));
  const exchange = await providerClient.open(ask({ gapTimeout: 60_000 })).response;
  if (!(exchange instanceof Transfer)) throw new Error("not a transfer");
  const received = sink();
  exchange.consume(received);
  await until(() => received.text !== "");
  exchange.pause();
  exchange.tick(120_000);
  exchange.resume();
  exchange.tick(60_000);
  exchange.tick(250);
  expect(await received.over).toMatchObject({ kind: "gap_timeout", sent: true });
});

describe("unpacks what was not asked for", () => {
  const text = "unpacked ".repeat(1_000);
  it.each([
    ["gzip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["br", brotliCompressSync(text)],
    ["zstd", zstdCompressSync(text)],
    ["identity", Buffer.from(text)],
  ])("%s, whole and streamed", async (coding, body) => {
    provider.next(
      respond(200, body, { "content-encoding": coding }),
      respond(200, body, { "content-encoding": coding }),
    );
    expect(await collect()).toBe(text);
    const received = sink();
    (await providerClient.open(ask()).response).consume(received);
    expect(await received.over).toBeNull();
    expect(received.text).toBe(text);
  });

  it.each([
    ["gzip", Buffer.from("not gzip")],
    ["gzip", gzipSync(text).subarray(0, 20)],
    ["gzip, gzip", gzipSync(gzipSync(text))],
    ["toString", Buffer.from(text)],
    ["snappy", Buffer.from(text)],
  ])("but not %s that is broken or unknown", async (coding, body) => {
    provider.next(
      respond(200, body, { "content-encoding": coding }),
      respond(200, body, { "content-encoding": coding }),
    );
    expect(await failureOf(collect())).toMatchObject({ kind: "malformed" });
    const received = sink();
    (await providerClient.open(ask()).response).consume(received);
    expect(await received.over).toMatchObject({ kind: "malformed" });
  });
});

it("stops a bomb at the limit, before and after unpacking", async () => {
  provider.next(gzipBomb(200_000_000), respond(200, Buffer.alloc(2_000_000)));
  expect(await failureOf(collect(1_000_000))).toMatchObject({ kind: "too_large" });
  expect(await failureOf(collect(1_000_000))).toMatchObject({ kind: "too_large" });
});

/** The event loop runs often enough that a reader which does not hold back gets on by many chunks. */
async function spinEventLoop(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

it("holds a bomb back while its reader waits, and forgets it when the reader leaves", async () => {
  provider.next(gzipBomb(200_000_000));
  const exchange = await providerClient.open(ask()).response;
  const received = sink();
  const pausing: BodySink = {
    ...received,
    onData: (chunk) => {
      received.onData(chunk);
      exchange.pause();
    },
  };
  exchange.consume(pausing);
  await until(() => received.bytes > 0);
  await spinEventLoop();
  expect(received.bytes).toBeLessThan(1_000_000);
  const before = received.bytes;
  exchange.resume();
  await until(() => received.bytes > before);
  exchange.abort();
  const after = received.bytes;
  await spinEventLoop();
  expect(received.bytes).toBe(after);
});

it("slows the provider down while its reader waits", async () => {
  provider.next(stream(Array.from({ length: 2_000 }, () => "x".repeat(65_536))));
  const exchange = await providerClient.open(ask()).response;
  const received = sink();
  exchange.consume(received);
  exchange.pause();
  const sizes: number[] = [];
  await until(() => {
    sizes.push(provider.bytesSent);
    return sizes.length > 20 && sizes.at(-1) === sizes.at(-20);
  });
  expect(provider.bytesSent).toBeLessThan(40_000_000);
  exchange.resume();
  await until(() => provider.bytesSent > 60_000_000);
  exchange.abort();
});

it("ends an attempt at once, wherever it is", async () => {
  provider.next(hang);
  const waiting = providerClient.open(ask());
  await provider.arrived(1);
  waiting.abort();
  expect(await failureOf(waiting.response)).toMatchObject({ kind: "aborted" });
  await provider.last.aborted;

  // A listener whose queue is full takes no connection: the attempt is still waiting for one.
  const silent = createServer({ pauseOnConnect: true });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const early = providerClient.open(ask({ origin: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` }));
  early.abort();
  expect(await failureOf(early.response)).toMatchObject({ kind: "aborted", sent: false });
  silent.close();
});

it("ends what is under way when it is closed, and lets nothing out any more", async () => {
  const closing = new ProviderClient();
  provider.next(hang, streamThenHang([contentFrame("Half")]));
  const waiting = closing.open(ask());
  const started = await closing.open(ask()).response;
  const broken = started.collect(1_000);
  await provider.arrived(2);
  const failures = [failureOf(waiting.response), failureOf(broken)];
  await closing.close();
  for (const failure of await Promise.all(failures)) expect(failure).toMatchObject({ kind: "aborted", sent: true });
  expect(await failureOf(closing.open(ask()).response)).toMatchObject({ kind: "aborted", sent: false });
  expect(provider.chats).toHaveLength(2);
});

it("connects within the limit that holds now, and has its peers probed", async () => {
  let connectMs = 30;
  const probed = vi.spyOn(Socket.prototype, "setKeepAlive");
  const patient = new ProviderClient(undefined, { connectMs: () => connectMs });
  // It takes connections and never speaks TLS.
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const origin = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  for (connectMs of [30, 40]) {
    expect(await failureOf(patient.open(ask({ origin })).response)).toMatchObject({
      kind: "refused",
      sent: false,
      limit: { name: "connect", ms: connectMs },
    });
  }
  expect(probed.mock.calls).toEqual([30, 40].map(() => [true, 15_000]));
  probed.mockRestore();
  await patient.close();
  silent.close();
});

describe("the time that a connection takes to be made", () => {
  const peer = { plainHttp: false, uid: 7 };

  it("is reported for the request that waited for it, and is absent for the next on it", async () => {
    // Whose program it is takes 20 ms to find out, before the connection is handed over.
    const slow = new ProviderClient(undefined, {
      portUid: async () => {
        const until20 = performance.now() + 20;
        while (performance.now() < until20);
        return Promise.resolve(7);
      },
    });
    const first = await slow.open(ask({ peer })).response;
    expect(first.connectMs).toBeGreaterThanOrEqual(20);
    await first.collect(1_000_000);
    // The connection is free again once the event loop has come round.
    await nextTurn();
    const second = await slow.open(ask({ peer })).response;
    expect(second.connectMs).toBe(0);
    await second.collect(1_000_000);
    await nextTurn();
    const inPieces = await slow.open(ask({ peer, body: [Buffer.from("{"), Buffer.from("}")] })).response;
    expect(inPieces.connectMs).toBeLessThan(20);
    await inPieces.collect(1_000_000);
    await slow.close();
  });
});
