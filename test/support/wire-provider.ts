import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { LoopbackServer, bodyOf } from "./loopback-server.ts";

/** A request that reached the provider, as it came over the wire. */
export interface WireSeen {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body as JSON; undefined when it is not one. */
  readonly json: unknown;
}

/** Answers one request. What it throws is answered as a 599, so that a failing expectation is seen by its test. */
export type WireAct = (seen: WireSeen, outgoing: ServerResponse) => void | Promise<void>;

/**
 * A provider of any protocol on loopback: routes are given by the test, everything that arrives is recorded. Connect it
 * by `POSTERN_<PROVIDER>_BASE_URL` in a test gateway's `env`.
 */
export class WireProvider extends LoopbackServer {
  /** In the order in which requests were complete, model lists left out. */
  readonly seen: WireSeen[] = [];
  readonly #acts = new Map<string, WireAct[]>();

  /** How `METHOD path` is answered: each act once, in order, the last one for good. Replaces what was said before. */
  on(route: string, ...acts: readonly WireAct[]): this {
    this.#acts.set(route, [...acts]);
    return this;
  }

  /** Forgets what was seen and every route. */
  reset(): void {
    this.seen.length = 0;
    this.#acts.clear();
  }

  protected async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "/", this.origin);
    const body = await bodyOf(incoming);
    const seen: WireSeen = {
      method: incoming.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body,
      json: jsonOf(body),
    };
    const route = `${seen.method} ${seen.path}`;
    if (!seen.path.endsWith("/models")) this.seen.push(seen);
    const acts = this.#acts.get(route);
    const act = acts === undefined || acts.length === 0 ? null : acts.length > 1 ? acts.shift() : acts[0];
    try {
      if (act == null) await reply(404, { error: { message: `no route ${route}` } })(seen, outgoing);
      else await act(seen, outgoing);
    } catch (error) {
      if (!outgoing.headersSent) outgoing.writeHead(599, { "content-type": "text/plain" });
      outgoing.end(String(error));
    }
  }
}

/** An act that answers with JSON. */
export function reply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): WireAct {
  return (_seen, outgoing) => {
    outgoing.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}

/** An act that answers with bytes of a type. */
export function replyBytes(contentType: string, bytes: Buffer | string, status = 200): WireAct {
  return (_seen, outgoing) => {
    outgoing.writeHead(status, { "content-type": contentType }).end(bytes);
  };
}

/** An act that answers with a stream of events, written as given (each with its blank line). */
export function replyEvents(...frames: readonly string[]): WireAct {
  return (_seen, outgoing) => {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    for (const frame of frames) outgoing.write(frame);
    outgoing.end();
  };
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}
