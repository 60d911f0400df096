import type { IncomingMessage } from "node:http";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { GatewayError } from "../../../gateway/core/errors.ts";
import { BodyRoom } from "../../../gateway/http/body-room.ts";
import type { GuardedResponse } from "../../../gateway/http/guarded-response.ts";
import { readBody } from "../../../gateway/http/read-body.ts";

const MIB = 1024 * 1024;

interface Arrival {
  readonly request: PassThrough;
  readonly body: Promise<Buffer>;
  readonly response: GuardedResponse;
}

/** A body that comes when the test says so. */
function arrival(headers: Readonly<Record<string, string>> = {}, room = new BodyRoom(), limit = 64 * MIB): Arrival {
  const request = Object.assign(new PassThrough(), { headers });
  const response = Object.assign(new EventEmitter(), { onSlowBody: null, destroyed: false });
  const body = readBody(request as unknown as IncomingMessage, response as unknown as GuardedResponse, {
    bytes: limit,
    share: room.open("key"),
    cost: 1,
  });
  body.catch(() => undefined);
  return { request, body, response: response as unknown as GuardedResponse };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("says that a body comes too slowly in the words of the part that measured it", async () => {
  const { request, body, response } = arrival({ "content-length": "100" });
  request.write("x");
  response.onSlowBody?.(new GatewayError("request_timeout", "The body arrived too slowly."));
  await expect(body).rejects.toMatchObject({ code: "request_timeout", message: "The body arrived too slowly." });
  expect(response.onSlowBody).toBeNull();
});

it("says that a body ended early", async () => {
  const { request, body } = arrival({ "content-length": "100" });
  request.write("x");
  request.destroy();
  await expect(body).rejects.toMatchObject({ code: "invalid_body" });
});

it("stops reading where a body is larger than it may be", async () => {
  const { request, body } = arrival({}, new BodyRoom(), 100);
  request.write(Buffer.alloc(101));
  await expect(body).rejects.toMatchObject({ code: "request_too_large" });
  expect(request.isPaused()).toBe(true);
});

it("stops reading where there is no room, also in the middle of a body", async () => {
  const room = new BodyRoom(400);
  const [first, second] = [arrival({}, room), arrival({}, room)];
  first.request.write(Buffer.alloc(200));
  await turn();
  second.request.write(Buffer.alloc(90));
  await turn();
  second.request.write(Buffer.alloc(90));
  await expect(second.body).rejects.toMatchObject({ code: "concurrency_limit_exceeded" });
  expect(second.request.isPaused()).toBe(true);
  first.request.end();
  expect(await first.body).toHaveLength(200);
});

it("puts a large body together as it came, whether its length is known or not", async () => {
  const sent = Buffer.alloc(20 * MIB);
  for (let at = 0; at < sent.length; at += 4) sent.writeUInt32LE(at, at);
  for (const headers of [{ "content-length": String(sent.length) }, {}]) {
    const { request, body } = arrival(headers);
    for (let at = 0; at < sent.length; at += 100_000) request.write(sent.subarray(at, at + 100_000));
    request.end();
    expect((await body).equals(sent)).toBe(true);
  }
});

const PACKERS = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync } as const;

it.each(Object.entries(PACKERS))("counts what %s unpacks to while it unpacks", async (coding, pack) => {
  const room = new BodyRoom(4 * MIB);
  const bomb = pack(Buffer.alloc(60 * MIB));
  const { request, body } = arrival({ "content-encoding": coding }, room);
  request.end(bomb);
  await expect(body).rejects.toMatchObject({ code: "request_too_large" });
  const small = pack(Buffer.alloc(2 * MIB, "a"));
  const next = arrival({ "content-encoding": coding }, new BodyRoom(4 * MIB));
  next.request.end(small);
  expect(await next.body).toHaveLength(2 * MIB);
});

it("does not read a body in a coding that no one knows", () => {
  expect(() => arrival({ "content-encoding": "rot13" })).toThrow(
    expect.objectContaining({ code: "unsupported_media_type" }),
  );
});
