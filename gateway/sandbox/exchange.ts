import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { once } from "node:events";
import type { Clock } from "../lib/clock.ts";
import type { Failure } from "./failure.ts";

/** One authenticated request and the way to answer it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Without the query and without the provider in front. */
  readonly path: string;
  readonly body: Buffer;
  /** Aborted when the client has gone or the answer is complete; no timer outlives it. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** One operation of one protocol. Each protocol is a folder that exports its routes. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** The whole path: literal, or what must match it. */
  readonly path: string | RegExp;
  /** Served without a key: a result's file, which providers put at an address that is a secret of its own. */
  readonly keyless?: true;
  /** The largest body that it takes, where that is more than elsewhere. */
  readonly largestBody?: number;
  /** An error of this operation as JSON, where the provider has another envelope for it than for the rest. */
  failureBody?(failure: Failure): string;
  handle(exchange: Exchange): void | Promise<void>;
}

/** Answers with a JSON body. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": length, ...headers });
  response.end(body);
}

/** Waits; rejects with an AbortError as soon as the client has gone. */
export async function wait(exchange: Exchange, ms: number): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal: exchange.signal });
  else await nextTurn(undefined, { signal: exchange.signal });
}

/**
 * Streams `frames` as server-sent events, `gapMs` apart, each in a write of its own so that they arrive one by one.
 * The times are counted from the first frame, so that lateness does not add up. A client that does not read stops
 * the frames from being made.
 */
export async function sendFrames(
  exchange: Exchange,
  frames: Iterable<string>,
  gapMs: number,
  headers: Record<string, string>,
): Promise<void> {
  const { response, clock, signal } = exchange;
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    ...headers,
  });
  const start = clock.monotonic();
  let sent = 0;
  for (const frame of frames) {
    // Timers know whole milliseconds only. Never more than one gap, should the clock stand still.
    if (sent > 0) await wait(exchange, Math.ceil(Math.min(gapMs, start + sent * gapMs - clock.monotonic())));
    if (!response.write(frame)) await once(response, "drain", { signal });
    sent += 1;
  }
}

/** Breaks the connection, after what was written has left. */
export function cutConnection(exchange: Exchange): void {
  const { response } = exchange;
  if (response.headersSent) response.write("", () => response.destroy());
  else response.destroy();
}
