import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import { hold, freeAfterSending } from "../../../gateway/lib/body-memory.ts";
import { ProviderClient } from "../../../gateway/upstream/provider-client.ts";
import { until } from "../../support/running-gateway.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
/** More than sockets of this machine take while no one reads. */
const MORE = 12_000_000;

let server: Server | null = null;
let client: ProviderClient | null = null;
const sockets = new Set<Socket>();
afterEach(async () => {
  await client?.close();
  client = null;
  for (const socket of sockets) socket.destroy();
  server?.close();
});

/** A provider on a bare socket. */
async function serve(connected: (socket: Socket) => void): Promise<string> {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    connected(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function post(origin: string, body: Buffer | string): ReturnType<ProviderClient["open"]> {
  client ??= new ProviderClient();
  const method = "POST" as const;
  return client.open({ origin, path: "/", method, headers: {}, body, headTimeout: 20_000, gapTimeout: 20_000 });
}

/** Reads whole requests and responds to each. */
function responsive(got: Buffer[]): (socket: Socket) => void {
  return (socket) => {
    let read = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      read = Buffer.concat([read, chunk]);
      const head = read.indexOf("\r\n\r\n") + 4;
      const length = Number(/content-length: (\d+)/.exec(read.toString("latin1", 0, head))?.[1]);
      if (head < 4 || read.length < head + length) return;
      got.push(read.subarray(head, head + length));
      read = read.subarray(head + length);
      socket.write(OK);
    });
  };
}

const body = (): Buffer => freeAfterSending(Buffer.allocUnsafeSlow(200_000).fill("body "));
const whole = body().toString();

test("the memory of a body that was sent once goes back with the end of its response", async () => {
  const got: Buffer[] = [];
  const origin = await serve(responsive(got));
  const bytes = body();
  const exchange = await post(origin, bytes).response;
  expect((await exchange.collect(100)).toString()).toBe("ok");
  expect(bytes.length).toBe(0);
  await (await post(origin, whole).response).collect(100);
  expect(got.map(String)).toEqual([whole, whole]);
});

test("what someone else holds stays", async () => {
  const origin = await serve(responsive([]));
  const bytes = body();
  hold(bytes);
  hold(bytes);
  await (await post(origin, bytes).response).collect(100);
  expect(bytes.toString()).toBe(whole);
});

test("a provider that responds before it has read gets the rest unchanged", async () => {
  let socket = null as Socket | null;
  const origin = await serve((connected) => {
    socket = connected;
    connected.pause();
    connected.write(OK);
  });
  const bytes = freeAfterSending(Buffer.allocUnsafeSlow(MORE).fill("body "));
  const exchange = await post(origin, bytes).response;
  await exchange.collect(100);
  expect(bytes.length).toBe(MORE);
  let rest = "";
  socket?.on("data", (chunk) => (rest += chunk.toString("latin1"))).resume();
  await until(() => rest.length > MORE);
  expect(rest.slice(rest.indexOf("\r\n\r\n") + 4) === "body ".repeat(MORE / 5)).toBe(true);
});

test.each([
  ["that breaks off", (socket: Socket) => socket.once("data", () => socket.resetAndDestroy())],
  ["that breaks off within its response", (socket: Socket) => socket.once("data", () => socket.end(OK.slice(0, -1)))],
])("a provider %s leaves the body as it is, for the next one", async (_, act) => {
  const origin = await serve(act);
  const bytes = body();
  await expect(post(origin, bytes).response.then((exchange) => exchange.collect(100))).rejects.toThrow(
    /broke|terminated|socket|ECONN|closed/,
  );
  expect(bytes.toString()).toBe(whole);
});

test("a body stays that is aborted, before its connection stands and after", async () => {
  const origin = await serve((socket) => socket.pause());
  const [early, late] = [
    freeAfterSending(Buffer.allocUnsafeSlow(MORE).fill("x")),
    freeAfterSending(Buffer.allocUnsafeSlow(MORE)),
  ];
  const first = post(origin, early);
  first.abort();
  const second = post(origin, late);
  await until(() => sockets.size > 0);
  second.abort();
  await expect(first.response).rejects.toThrow("ended by Postern");
  await expect(second.response).rejects.toThrow("ended by Postern");
  expect([early.length, late.length]).toEqual([MORE, MORE]);
});

test("no one keeps a body that was aborted before its connection stood", async () => {
  const origin = await serve(() => undefined);
  const started = async (): Promise<WeakRef<Buffer>> => {
    const bytes = body();
    const attempt = post(origin, bytes);
    attempt.abort();
    await attempt.response.catch(() => undefined);
    return new WeakRef(bytes);
  };
  const bytes = await started();
  await until(() => sockets.size > 0);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let turn = 0; turn < 200 && bytes.deref() !== undefined; turn += 1) {
    await nextTurn();
    collect();
  }
  expect(bytes.deref()?.length).toBeUndefined();
});
