import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { ProviderId } from "../providers/registry.ts";
import type { Capability, ModelSpec } from "../core/models/model.ts";
import type { Clock } from "../lib/clock.ts";
import { Failure, modelNotFound } from "./fields.ts";

/** One authenticated request and the way to answer it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Without the query and without the provider in front. */
  readonly path: string;
  readonly body: Buffer;
  /** Aborted when the client has gone or the response is complete; no timer outlives it. */
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

/** One provider's protocol, as the sandbox speaks it below `/PROVIDER`. */
export interface Protocol {
  readonly provider: ProviderId;
  /** Paths without the `/PROVIDER` in front. */
  readonly routes: readonly Route[];
  /** The key that a request gives; undefined when it gives none. */
  keyOf(headers: IncomingHttpHeaders): string | undefined;
  /** An error in the provider's envelope, as JSON. */
  failureBody(failure: Failure): string;
}

/** `Authorization: Bearer …`, as most providers take it. */
export function bearerKey(headers: IncomingHttpHeaders): string | undefined {
  return headers.authorization?.replace(/^Bearer /, "");
}

/** `x-goog-api-key`, as Google's native protocol has it; `Authorization` in its layer for OpenAI clients. */
export function googleKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["x-goog-api-key"];
  return typeof key === "string" ? key : bearerKey(headers);
}

/**
 * `GET …/models` and `GET …/models/{id}` below `base`, in OpenAI's shape (docs/providers/openai.md#models).
 * @param served what the protocol has routes for: models that can do none of it are not listed.
 */
export function modelRoutes(base: string, models: () => readonly ModelSpec[], served: readonly Capability[]): Route[] {
  const isServed = (model: ModelSpec): boolean => canAny(model, served);
  return [
    {
      method: "GET",
      path: `${base}/models`,
      handle: (exchange) => {
        const data = models().filter(isServed).map(modelBody);
        sendJson(exchange.response, 200, JSON.stringify({ object: "list", data }));
      },
    },
    {
      method: "GET",
      path: new RegExp(`^${base}/models/.+$`),
      handle: (exchange) => {
        const model = findModel(models(), decoded(exchange.path.slice(`${base}/models/`.length)));
        if (!isServed(model)) throw modelNotFound(model.id);
        sendJson(exchange.response, 200, JSON.stringify(modelBody(model)));
      },
    },
  ];
}

/**
 * The model with this id, provider's id or alias.
 * @throws Failure (404) in OpenAI's words
 */
export function findModel(models: readonly ModelSpec[], id: string): ModelSpec {
  const found =
    models.find((model) => model.id === id || model.upstreamId === id) ??
    models.find((model) => model.aliases.includes(id));
  if (!found) throw modelNotFound(id.slice(0, 200));
  return found;
}

/** Whether the model can do any of these. */
export function canAny(model: ModelSpec, capabilities: readonly Capability[]): boolean {
  return model.capabilities.some((capability) => capabilities.includes(capability));
}

function modelBody(model: ModelSpec): object {
  return { id: model.id, object: "model", created: model.created, owned_by: model.owner };
}

/** @throws Failure (400) for what is no percent-encoding */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Failure(400, "The model id in the path is not valid percent-encoding.", { param: "model" });
  }
}
