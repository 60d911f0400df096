import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { McpHttpHandler, ServerNotifier } from "@modelcontextprotocol/server";
import { loggedError } from "../core/logged-error.ts";
import type { Log } from "../lib/log.ts";
import { isRecord } from "../lib/records.ts";
import type { KeyRing, RingKey } from "../services/keys/key-ring.ts";
import type { ListModels } from "../services/models/list-models.ts";
import { getAuthInfo, getCaller } from "./caller.ts";
import type { Caller } from "./caller.ts";
import type { ServerMaker } from "./make-server.ts";
import type { Sessions } from "./sessions/sessions.ts";
import { watchBody } from "./watched-body.ts";

/** Responses in progress outside of sessions, so that they can be ended when their key becomes invalid. */
class Exchanges {
  readonly #open = new Set<{ readonly key: RingKey; readonly end: AbortController }>();

  countItems(key: RingKey): number {
    let count = 0;
    for (const exchange of this.#open) if (exchange.key === key) count += 1;
    return count;
  }

  /**
   * Handles a request.
   * @param serve receives the request with a signal that aborts when the client disconnects or the exchange is ended.
   */
  async run(request: Request, key: RingKey, serve: (request: Request) => Promise<Response>): Promise<Response> {
    const exchange = { key, end: new AbortController() };
    const over = (): void => void this.#open.delete(exchange);
    this.#open.add(exchange);
    try {
      const signal = AbortSignal.any([request.signal, exchange.end.signal]);
      const response = await serve(new Request(request, { signal }));
      if (response.body === null) over();
      return watchBody(response, { onEnd: over, farewell: () => null });
    } catch (error) {
      over();
      throw error;
    }
  }

  /** Cancels running calls and ends streams. */
  endKeys(gone: (key: RingKey) => boolean): void {
    for (const { key, end } of this.#open) if (gone(key)) end.abort();
  }
}

/** Max concurrent change streams; a client needs one. */
const MOST_LISTENERS = 256;
/** Max listeners per key, so that a client which opens them again and again leaves room for the others. */
const MOST_LISTENERS_OF_KEY = 64;
/** First revision without sessions: from here on GET and DELETE are not methods of the endpoint. */
const STATELESS_SINCE = "2026-07-28";
/** The SDK's status of a request that was ended before its response. */
const CLOSED = 499;

export interface EndpointDeps {
  readonly log: Log;
  readonly servers: ServerMaker;
  readonly sessions: Sessions;
  readonly listModels: Pick<ListModels, "waitUntilListed">;
  readonly keyRing: Pick<KeyRing, "get" | "objection">;
}

/**
 * Serves both protocol generations at one path: requests with a revision are stateless, those before 2026-07-28 use
 * sessions. The SDK distinguishes them, so that both agree with it.
 */
export class McpEndpoint {
  readonly #deps: EndpointDeps;
  readonly #modern: McpHttpHandler;
  readonly #calls = new Exchanges();
  readonly #listening = new Exchanges();

  constructor(deps: EndpointDeps) {
    this.#deps = deps;
    this.#modern = createMcpHandler(({ authInfo }) => deps.servers.make(getCaller(authInfo).key, this.notify), {
      legacy: "reject",
      maxSubscriptions: MOST_LISTENERS,
      onerror: (error) => deps.log.warn("mcp", { ...loggedError(error) }),
    });
  }

  /**
   * @param body parsed; undefined for requests without one
   * @throws GatewayError when the key may not be used any more
   */
  async fetch(sent: Request, caller: Caller, body: unknown): Promise<Response> {
    const accept = readAcceptedTypes(sent);
    const response = await this.#respond(nameBothTypes(sent, accept), caller, removeNullParams(body));
    return sent.method === "POST" ? convertToAccepted(response, accept, body) : response;
  }

  async #respond(request: Request, caller: Caller, body: unknown): Promise<Response> {
    const authInfo = getAuthInfo(caller);
    if (request.method !== "POST" && (request.headers.get("mcp-protocol-version") ?? "") >= STATELESS_SINCE) {
      return notAllowed();
    }
    // The schemas name the models: at the start of Postern they are not known yet.
    if (isRecord(body) && body["method"] === "tools/list") await this.#deps.listModels.waitUntilListed();
    const legacy = await isLegacyRequest(request, body);
    // Checked again, because reading the body, or waiting here, may have taken minutes.
    this.#checkKey(caller);
    if (legacy) {
      return this.#deps.sessions.handle(request, { keyId: caller.key.record.id, authInfo }, body);
    }
    const listens = isRecord(body) && body["method"] === "subscriptions/listen";
    if (listens && this.#listening.countItems(caller.key) >= MOST_LISTENERS_OF_KEY) return tooManyStreams(body["id"]);
    const response = await (listens ? this.#listening : this.#calls).run(request, caller.key, (observed) =>
      this.#modern.fetch(observed, { authInfo, parsedBody: body }),
    );
    if (response.status === CLOSED && !request.signal.aborted) this.#checkKey(caller);
    return response;
  }

  /** Tells clients of the newer era of changes. */
  get notify(): ServerNotifier {
    return this.#modern.notify;
  }

  /** The models of a tool have changed: clients that cache the list fetch it again. */
  toolsChanged(): void {
    this.#deps.sessions.toolsChanged();
    this.#modern.notify.toolsChanged();
  }

  /** Keys were revoked, switched off or have expired: what runs for them is cancelled, and their streams end. */
  endKeys(): void {
    const { keyRing, sessions } = this.#deps;
    const gone = (key: RingKey | undefined): boolean => key === undefined || keyRing.objection(key) !== null;
    sessions.endKeys((id) => gone(keyRing.get(id)));
    this.#calls.endKeys(gone);
    this.#listening.endKeys(gone);
  }

  async close(): Promise<void> {
    await Promise.all([this.#modern.close(), this.#deps.sessions.close()]);
  }

  #checkKey({ key }: Caller): void {
    const objection = this.#deps.keyRing.objection(key);
    if (objection !== null) throw objection;
  }
}

/** Uses the format of the SDK's own error for too many streams of all keys. */
function tooManyStreams(id: unknown): Response {
  const message = `This key has ${MOST_LISTENERS_OF_KEY} streams of changes open. End one before you open another.`;
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  return Response.json({ jsonrpc: "2.0", id: known, error: { code: -32_603, message } });
}

function notAllowed(): Response {
  const error = { code: -32_000, message: "Method not allowed. This revision of the protocol takes POST alone." };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 405, headers: { allow: "POST" } });
}

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";

/** Returns the accepted response types: both if the client states none, like curl. */
function readAcceptedTypes({ headers }: Request): { readonly json: boolean; readonly stream: boolean } {
  const accept = headers.get("accept")?.toLowerCase() ?? "*/*";
  const isAny = accept.includes("*/*");
  return {
    json: isAny || accept.includes(JSON_TYPE) || accept.includes("application/*"),
    stream: isAny || accept.includes(STREAM_TYPE) || accept.includes("text/*"),
  };
}

/** The SDK refuses a POST that does not name both types; a GET has the one type alone. */
function nameBothTypes(request: Request, { json, stream }: ReturnType<typeof readAcceptedTypes>): Request {
  if (request.method === "POST" ? !json && !stream : !stream) return request;
  const headers = new Headers(request.headers);
  headers.set("accept", `${JSON_TYPE}, ${STREAM_TYPE}`);
  return new Request(request, { headers });
}

/** A client that accepts only one type gets that: the response without progress, or a stream of one event. */
async function convertToAccepted(
  response: Response,
  { json, stream }: ReturnType<typeof readAcceptedTypes>,
  body: unknown,
): Promise<Response> {
  const type = response.headers.get("content-type") ?? "";
  const isStream = type.startsWith(STREAM_TYPE);
  const isEndless = isRecord(body) && body["method"] === "subscriptions/listen";
  if (!response.ok || json === stream || isStream === stream || isEndless || response.body === null) return response;
  const text = await response.text();
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  headers.set("content-type", stream ? STREAM_TYPE : JSON_TYPE);
  // The response to a request is the last event of its stream; a cancelled request has none.
  const last = text.slice(text.lastIndexOf("\ndata: ") + "\ndata: ".length).split("\n", 1)[0] ?? "";
  if (isStream && (last.trim() === "" || "method" in (JSON.parse(last) as object)))
    return new Response(null, { status: 202 });
  return new Response(stream ? `event: message\ndata: ${text}\n\n` : last, { status: response.status, headers });
}

/** Members of `params` in which null may be data. */
const DATA = new Set(["arguments", "inputResponses"]);

/** The message without members of `params` that are null: Python clients write those for what they do not give. */
function removeNullParams(body: unknown): unknown {
  if (!isRecord(body) || typeof body["method"] !== "string") return body;
  const { params, ...message } = body;
  return params === undefined || params === null ? message : { ...message, params: removeNulls(params) };
}

function removeNulls(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const given = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(given.map(([name, member]) => [name, DATA.has(name) ? member : removeNulls(member)]));
}
