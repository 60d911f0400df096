import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClientSockets, type SocketLimits } from "../../../gateway/http/client-sockets.ts";
import type { GuardedResponse } from "../../../gateway/http/guarded-response.ts";
import { createHttpServer } from "../../../gateway/http/server.ts";
import { open, sendRaw } from "../../support/raw-http.ts";
import { until } from "../../support/running-gateway.ts";

let now = 0;
let sockets: ClientSockets;
let server: Server;
const dialled: Socket[] = [];
/** What the server does with requests: nothing until reported. */
let body: (response: GuardedResponse) => void;

async function serve(limits: Partial<SocketLimits>): Promise<number> {
  sockets = new ClientSockets(limits, () => now);
  server = createHttpServer((_request, response) => body(response), sockets);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** A connection that has sent this. */
async function dial(port: number, bytes = ""): Promise<Socket> {
  const socket = await open(port);
  dialled.push(socket);
  socket.on("error", () => {});
  socket.resume();
  if (bytes !== "") socket.write(bytes);
  return socket;
}

const closed = (socket: Socket): Promise<unknown> => (socket.closed ? Promise.resolve() : once(socket, "close"));
const GET = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
const POST = "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n";
/** Requests that the server has seen. */
const seen: GuardedResponse[] = [];

beforeEach(() => {
  now = 0;
  seen.length = 0;
  body = (response) => void seen.push(response);
});
afterEach(async () => {
  for (const socket of dialled.splice(0)) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it("still finds Node's own field by which it knows which response is under way", async () => {
  const port = await serve({});
  const under = once(server, "connection") as Promise<[Socket]>;
  await dial(port, GET);
  const [socket] = await under;
  await until(() => seen.length === 1);
  expect(Reflect.get(socket, "_httpMessage")).toBe(seen[0]);
  seen[0]?.end();
  await until(() => Reflect.get(socket, "_httpMessage") === null);
});

describe("a body", () => {
  const slow: string[] = [];
  const pace = { paceMs: 1_000, paceBytes: 100, bodyMs: 10_000 };
  beforeEach(() => {
    slow.length = 0;
    body = (response) => {
      seen.push(response);
      response.req.resume();
      response.onSlowBody = ({ message }) => slow.push(message);
    };
  });

  it("that is slower than the pace is given up, and its reader is reported", async () => {
    const port = await serve(pace);
    const socket = await dial(port, POST);
    await until(() => seen.length === 1);
    sockets.sweep();
    now = 900;
    sockets.sweep();
    expect(slow).toEqual([]);
    socket.write("x".repeat(99));
    now = 1_000;
    sockets.sweep();
    expect(slow).toEqual(["The body arrived too slowly: less than 0.09765625 KiB in 1 s."]);
  });

  it("that keeps the pace goes on, but not for ever", async () => {
    const port = await serve(pace);
    const socket = await dial(port, POST);
    await until(() => seen.length === 1);
    sockets.sweep();
    let came = 0;
    seen[0]?.req.on("data", (chunk: Buffer) => (came += chunk.length));
    for (let step = 1; step <= 10; step += 1) {
      socket.write("x".repeat(100));
      await until(() => came === step * 100);
      now += 1_000;
      sockets.sweep();
    }
    expect(slow).toEqual([]);
    now += 1;
    sockets.sweep();
    expect(slow).toEqual(["The body took longer than 10 s."]);
  });

  it("that no one reads is closed with its connection", async () => {
    body = (response) => void seen.push(response);
    const port = await serve(pace);
    const socket = await dial(port, POST);
    await until(() => seen.length === 1);
    sockets.sweep();
    now = 1_000;
    sockets.sweep();
    await closed(socket);
    expect(seen[0]?.headersSent).toBe(false);
  });

  it("is measured again for each request of a connection", async () => {
    const port = await serve(pace);
    const socket = await dial(port, "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nx");
    await until(() => seen.length === 1);
    sockets.sweep();
    socket.write("y");
    await until(() => seen[0]?.req.complete === true);
    seen[0]?.end();
    now = 5_000;
    socket.write(POST);
    await until(() => seen.length === 2);
    sockets.sweep();
    now = 5_900;
    sockets.sweep();
    expect(slow).toEqual([]);
  });
});

describe("when there are as many connections as there may be", () => {
  const MOST = 16;

  it("one that has never asked for anything goes first, and calls under way stay", async () => {
    const port = await serve({ most: MOST });
    const busy = await dial(port, GET);
    await until(() => seen.length === 1);
    const idle: Socket[] = [];
    for (let index = 0; index < MOST - 1; index += 1) idle.push(await dial(port));
    await until(() => server.listening);
    const newcomer = await dial(port, GET);
    await until(() => seen.length === 2);
    await until(() => idle.filter((socket) => socket.closed).length === 1);
    expect([busy.closed, newcomer.closed]).toEqual([false, false]);
  });

  it("one that was served and rests goes before a body that is on its way", async () => {
    body = (response) => {
      seen.push(response);
      if (response.req.method === "GET") response.end("served");
      else response.req.resume();
    };
    const port = await serve({ most: 3 });
    const rested = await dial(port, GET);
    await until(() => seen.length === 1);
    const uploads = [await dial(port, POST), await dial(port, POST)];
    await until(() => seen.length === 3);
    await dial(port, GET);
    await closed(rested);
    expect(uploads.map((socket) => socket.closed)).toEqual([false, false]);
  });

  it("the newcomer is turned away where everybody is being served", async () => {
    const port = await serve({ most: 4 });
    for (let index = 0; index < 4; index += 1) await dial(port, GET);
    await until(() => seen.length === 4);
    await closed(await dial(port, GET));
    expect(seen).toHaveLength(4);
  });
});

it("closes a connection whose client takes nothing of its response, and not one whose provider is slow", async () => {
  const port = await serve({ stalledMs: 200 });
  body = (response) => {
    seen.push(response);
    if (response.req.url === "/large") response.end(Buffer.alloc(64 * 1024 * 1024));
  };
  const waiting = await dial(port, GET);
  const stalled = await dial(port, "GET /large HTTP/1.1\r\nhost: a\r\n\r\n");
  stalled.pause();
  await until(() => seen.length === 2);
  const large = seen.find(({ req }) => req.url === "/large");
  await until(() => large?.destroyed === true);
  expect(waiting.closed).toBe(false);
  seen.find(({ req }) => req.url === "/")?.end("at last");
  const [bytes] = (await once(waiting, "data")) as [Buffer];
  expect(bytes.toString()).toContain("at last");
});

it("keeps the connections of clients that behave", async () => {
  body = (response) => void response.end("ok");
  const port = await serve({ most: 8 });
  const first = await sendRaw(port, GET, 1_000);
  expect(first.headers["connection"]).toBe("keep-alive");
  const socket = await dial(port);
  for (let index = 0; index < 50; index += 1) {
    socket.write(GET);
    await once(socket, "data");
    sockets.sweep();
    now += 10_000;
  }
  expect(socket.closed).toBe(false);
});

describe("a connection that rests", () => {
  it("learns how long it may, and closed no sooner than after that", async () => {
    body = (response) => void response.end("ok");
    const { headers } = await sendRaw(await serve({}), GET, 1_000);
    expect(headers["keep-alive"]).toBe("timeout=65");
    expect(server.timeout).toBeGreaterThan(65_000);
    expect(server.keepAliveTimeout).toBe(0);
  });

  it("learns nothing of it where it is closed after the response", async () => {
    body = (response) => void response.end("ok");
    const { headers } = await sendRaw(await serve({}), "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    expect([headers["connection"], headers["keep-alive"]]).toEqual(["close", undefined]);
  });

  it("is closed in the end, served or not", async () => {
    body = (response) => void response.end("ok");
    const port = await serve({ stalledMs: 50 });
    const [served, silent] = [await dial(port, GET), await dial(port)];
    await Promise.all([closed(served), closed(silent)]);
    expect(served.bytesRead).toBeGreaterThan(0);
  });
});
