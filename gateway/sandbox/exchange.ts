import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Capability, ModelSpec } from "../core/models/model.ts";
import type { Clock } from "../lib/clock.ts";
import { getDirectives } from "./directives.ts";
import { type Failure, modelNotFound, requestedFailure } from "./failure.ts";
import { type Fields, getRecord } from "./fields.ts";
import type { TaskMemory } from "./videos/task-memory.ts";

/** An authenticated request with its response. */
export interface Exchange {
  /** `http://127.0.0.1:PORT/PROVIDER`. */
  readonly base: string;
  /** The path's part for `:id` of the route. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly response: ServerResponse;
  /** Aborted when the client has gone or the response is complete; no timer outlives it. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly models: readonly ModelSpec[];
  /** Tasks of this provider. */
  readonly tasks: TaskMemory;
}

/** An operation of a protocol. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** Without the provider in front; `:id` for a part that varies. */
  readonly path: string;
  /** Served without a key: a result's file, whose URL is itself a secret. */
  readonly keyless?: true;
  /** An error of this operation as JSON, where the provider has another envelope for it than for the rest. */
  readonly failureBody?: (failure: Failure) => string;
  readonly handle: (exchange: Exchange) => void | Promise<void>;
}

/** A provider's protocol, served by the sandbox below `/PROVIDER`. */
export interface Protocol {
  readonly routes: readonly Route[];
  /** The header that may hold the key, next to `Authorization: Bearer …`. */
  readonly keyHeader?: string;
  /** Builds an error in the provider's envelope, as JSON; by default OpenAI's. */
  readonly failureBody?: (failure: Failure) => string;
}

/** The JSON object of a request. */
export function getBody({ body }: Exchange): Fields {
  return getRecord(JSON.parse(body.toString("utf8")));
}

/**
 * Finds the model with this id, provider's id or alias.
 * @throws Failure (404) if no such model has the capability
 */
export function getModel({ models }: Exchange, id: unknown, capability: Capability): ModelSpec {
  const able = models.filter(({ capabilities }) => capabilities.includes(capability));
  const found =
    able.find((model) => model.id === id || model.upstreamId === id) ??
    able.find(({ aliases }) => aliases.some((alias) => alias === id));
  if (!found) throw modelNotFound(String(id));
  return found;
}

/** The provider's own id of a model. */
export function providersId({ upstreamId, id }: ModelSpec): string {
  return upstreamId ?? id;
}

type Headers = Readonly<Record<string, string>>;

/** Responds with all of a body. */
export function send(
  { response }: Pick<Exchange, "response">,
  status: number,
  headers: Headers,
  body: string | Buffer,
): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}

/** Responds with JSON. */
export function sendJson(exchange: Exchange, body: object, headers: Headers = {}): void {
  send(exchange, 200, { "content-type": "application/json", ...headers }, JSON.stringify(body));
}

/** Waits; rejects with an AbortError once the client has disconnected. */
export async function wait({ signal }: Exchange, ms: number): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal });
  else await nextTurn(undefined, { signal });
}

/** Options of a stream. */
export interface Manner {
  /** Milliseconds of the whole response; null: as fast as possible. */
  readonly slowMs: number | null;
  /** Whether the connection breaks after the first events. */
  readonly cut: boolean;
  /** Default milliseconds between two events. */
  readonly gapMs?: number;
}

/**
 * Applies a prompt's directives before a response: waits, fails, breaks the connection.
 * @returns null if the connection was broken.
 * @throws Failure for `sandbox:error` and `sandbox:fail`.
 */
export async function prepare(exchange: Exchange, prompt: string, streams = false): Promise<Manner | null> {
  const { errorStatus, slowMs, cut } = getDirectives(prompt);
  if (errorStatus !== null || !streams) await wait(exchange, slowMs ?? 0);
  if (errorStatus !== null) throw requestedFailure(errorStatus);
  if (streams || !cut) return { slowMs, cut };
  cutConnection(exchange);
  return null;
}

/** Breaks the connection after written data was sent. */
export function cutConnection({ response }: Exchange): void {
  if (response.headersSent) response.write("", () => response.destroy());
  else response.destroy();
}

/** The head of a stream of server-sent events. */
export const EVENT_STREAM = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

/**
 * Streams pieces in separate writes, so that they arrive separately. A client that does not read stops their
 * production. Times are relative to the first piece, so that delays do not add up.
 * @param beforeCut number of pieces sent before `sandbox:cut` breaks the connection.
 */
export async function sendStream(
  exchange: Exchange,
  headers: Headers,
  pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
  { slowMs, cut, gapMs = 0 }: Manner,
  beforeCut: number,
): Promise<void> {
  const { response, clock, signal } = exchange;
  // The number of pieces is only known after all are made.
  const made: (string | Buffer)[] = [];
  if (slowMs !== null) for await (const piece of pieces) made.push(piece);
  const gap = slowMs === null ? gapMs : slowMs / Math.max(1, made.length - 1);
  response.writeHead(200, headers);
  const start = clock.monotonic();
  let sent = 0;
  for await (const piece of slowMs === null ? pieces : made) {
    if (cut && sent === beforeCut) break;
    // Timers have millisecond precision. Never more than one gap, in case the clock stands still.
    if (sent > 0) await wait(exchange, Math.ceil(Math.min(gap, start + sent * gap - clock.monotonic())));
    if (!response.write(piece)) await once(response, "drain", { signal });
    sent += 1;
  }
  if (cut) cutConnection(exchange);
  else response.end();
}
