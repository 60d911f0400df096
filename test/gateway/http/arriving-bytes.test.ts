import type { IncomingMessage, ServerResponse } from "node:http";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { ArrivingBytes } from "../../../gateway/http/arriving-bytes.ts";
import { readBody } from "../../../gateway/http/read-body.ts";

interface Arrival {
  readonly request: PassThrough;
  readonly body: Promise<Buffer>;
  readonly response: ServerResponse;
}

/** A body that is read within the given room, and comes when the test says so. */
function arrival(room: ArrivingBytes): Arrival {
  const request = Object.assign(new PassThrough(), { headers: {}, socket: { destroySoon: () => {} } });
  const response = Object.assign(new EventEmitter(), { shouldKeepAlive: true }) as unknown as ServerResponse;
  const body = readBody(request as unknown as IncomingMessage, response, 1_000, room);
  body.catch(() => undefined);
  return { request, body, response };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("refuses what no room is left for, and closes its connection", async () => {
  const room = new ArrivingBytes(250);
  const [first, second, third] = [arrival(room), arrival(room), arrival(room)];
  first.request.write(Buffer.alloc(100));
  second.request.write(Buffer.alloc(100));
  await turn();
  third.request.write(Buffer.alloc(100));
  await expect(third.body).rejects.toMatchObject({ code: "concurrency_limit_exceeded", status: 429 });
  expect(third.response.shouldKeepAlive).toBe(false);
  first.request.end();
  expect(await first.body).toHaveLength(100);
});

it("gives back the room of what has arrived, was too large, or broke off", async () => {
  const room = new ArrivingBytes(1_100);
  for (const end of [
    (request: PassThrough) => request.end(),
    (request: PassThrough) => request.write(Buffer.alloc(200)),
    (request: PassThrough) => request.destroy(),
  ]) {
    const one = arrival(room);
    one.request.write(Buffer.alloc(900));
    await turn();
    end(one.request);
    await one.body.catch(() => undefined);
  }
  const last = arrival(room);
  last.request.end(Buffer.alloc(1_000));
  expect(await last.body).toHaveLength(1_000);
});
