import type { IncomingMessage, ServerResponse } from "node:http";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readBody } from "../../../gateway/http/read-body.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A request whose body comes when the test says so. */
function slowRequest(): { request: PassThrough & IncomingMessage; response: ServerResponse } {
  const request = Object.assign(new PassThrough(), { headers: { "content-length": "100" } });
  const response = Object.assign(new EventEmitter(), { shouldKeepAlive: true });
  return {
    request: request as unknown as PassThrough & IncomingMessage,
    response: response as unknown as ServerResponse,
  };
}

it("gives up a body that never begins", async () => {
  const { request, response } = slowRequest();
  const read = expect(readBody(request, response, 1_000)).rejects.toMatchObject({ code: "request_timeout" });
  await vi.advanceTimersByTimeAsync(30_001);
  await read;
  expect(response.shouldKeepAlive).toBe(false);
});

it("gives up a body that stops, but not one that is slow", async () => {
  const { request, response } = slowRequest();
  const read = expect(readBody(request, response, 1_000)).rejects.toMatchObject({ code: "request_timeout" });
  for (let i = 0; i < 5; i++) {
    request.write("x");
    await vi.advanceTimersByTimeAsync(29_000);
  }
  await vi.advanceTimersByTimeAsync(2_000);
  await read;
});

it("says that a body ended early", async () => {
  const { request, response } = slowRequest();
  const read = expect(readBody(request, response, 1_000)).rejects.toMatchObject({ code: "invalid_body" });
  request.write("x");
  request.destroy();
  await read;
});

it("leaves no timer behind", async () => {
  const { request, response } = slowRequest();
  const read = readBody(request, response, 1_000);
  request.end("{}");
  expect((await read).toString()).toBe("{}");
  expect(vi.getTimerCount()).toBe(0);
});
