import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { ProviderClient, type UpstreamRequest } from "../../../gateway/upstream/provider-client.ts";

/**
 * A provider that closes a resting connection just when a call takes it. It stands in a thread of its own, so that it can
 * close while this one holds its event loop and does not hear of it.
 */
const PROVIDER = `
const { createServer } = require("node:net");
const { parentPort, workerData: flag } = require("node:worker_threads");
let requests = 0;
let last;
const server = createServer((socket) => {
  last = socket;
  socket.on("error", () => {});
  socket.on("data", () => {
    requests += 1;
    socket.write("HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\nok");
  });
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
parentPort.on("message", (how) => {
  if (how === "count") return parentPort.postMessage(requests);
  last.once("close", () => {
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  });
  if (how === "reset") last.resetAndDestroy();
  else last.destroy();
});
`;

const flag = new Int32Array(new SharedArrayBuffer(4));
const providerClient = new ProviderClient();
let provider: Worker;
let port = 0;

beforeAll(async () => {
  provider = new Worker(PROVIDER, { eval: true, workerData: flag });
  [port] = (await once(provider, "message")) as [number];
});
afterAll(async () => {
  await providerClient.close();
  await provider.terminate();
});

beforeEach(() => void vi.spyOn(performance, "now").mockImplementation(() => now));
afterEach(() => void vi.restoreAllMocks());

const ask = (): UpstreamRequest => ({
  origin: `http://127.0.0.1:${port}`,
  path: "/v1/chat/completions",
  method: "POST",
  headers: {},
  body: "{}",
  headTimeout: 5_000,
  gapTimeout: 5_000,
});

async function requests(): Promise<number> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  provider.postMessage("count");
  const [count] = (await once(provider, "message")) as [number];
  return count;
}

let now = performance.now();

/** The next request is sent so many milliseconds after the last one. */
function restedFor(ms: number): void {
  now += ms;
}

async function answered(): Promise<string> {
  return (await (await providerClient.open(ask()).response).collect(10)).toString();
}

/** The provider closes every connection, and this thread has not heard of it when this returns. */
function closeUnheard(how: "reset" | "close"): void {
  Atomics.store(flag, 0, 0);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  provider.postMessage(how);
  Atomics.wait(flag, 0, 0);
}

it.each(["reset", "close"] as const)(
  "a call after a rest is not sent on a connection that was ended by a %s",
  async (how) => {
    await answered();
    const before = await requests();
    restedFor(60_000);
    closeUnheard(how);
    expect(await answered()).toBe("ok");
    expect(await requests()).toBe(before + 1);
  },
);

it("a call that could not be written is known not to be sent", async () => {
  await answered();
  const before = await requests();
  closeUnheard("reset");
  restedFor(0);
  await expect(providerClient.open(ask()).response).rejects.toMatchObject({ kind: "refused", sent: false });
  expect(await requests()).toBe(before);
});

it("a call that was written just as the provider closed may have been executed", async () => {
  await answered();
  await requests();
  closeUnheard("close");
  restedFor(0);
  await expect(providerClient.open(ask()).response).rejects.toMatchObject({ kind: "broken", sent: true });
});

it("a call that is given up before it is sent is not sent", async () => {
  await answered();
  const before = await requests();
  restedFor(60_000);
  const attempt = providerClient.open(ask());
  attempt.abort();
  await expect(attempt.response).rejects.toMatchObject({ kind: "aborted", sent: false });
  expect(await answered()).toBe("ok");
  expect(await requests()).toBe(before + 1);
});
