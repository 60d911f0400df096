import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { ModelSpec } from "../core/models/model.ts";
import type { Clock } from "../lib/clock.ts";
import { type Protocol, type Route, send } from "./exchange.ts";
import { Failure, failureBody, noSuchFile } from "./failure.ts";
import { protocols } from "./protocols.ts";
import { TaskMemory } from "./videos/task-memory.ts";

export interface SandboxOptions {
  /** Models that it serves, read at each request. */
  readonly models: () => readonly ModelSpec[];
  readonly clock: Clock;
}

/** The running sandbox. */
export interface Sandbox {
  /** `http://127.0.0.1:PORT`; each provider's protocol is served below its id: `/openai/v1/…`, `/dashscope/api/v1/…`. */
  readonly origin: string;
  /** Accepted key, generated at each start and never stored. */
  readonly key: string;
  /** Breaks every connection and stops listening. */
  close(): Promise<void>;
}

/** Milliseconds; long, because an idle connection of the gateway's pool must not be closed while it is being reused. */
const KEEP_ALIVE_MS = 600_000;
/** A question about a hundred tasks has all their ids in its address. */
const LARGEST_HEAD_BYTES = 65_536;

/**
 * Starts the offline provider: a server on a free port of 127.0.0.1 that speaks the providers' own wire protocols, so
 * that the gateway reaches it with the same code as a real one. The same request gives the same bytes. It only stores
 * lists of video tasks and cancellations: task ids encode everything else. It requires `key` and its own host name.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const key = `sk-sandbox-${randomBytes(24).toString("hex")}`;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: LARGEST_HEAD_BYTES });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;
  const served = new Map(
    [...protocols].map(([provider, protocol]) => [provider, new Serving(protocol, `${origin}/${provider}`)]),
  );
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void respond(request, response, served, { ...options, host, key });
  });
  return {
    origin,
    key,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A provider's protocol on a running sandbox. */
class Serving {
  readonly protocol: Protocol;
  readonly base: string;
  readonly tasks = new TaskMemory();
  readonly #routes: readonly (readonly [pattern: RegExp, route: Route])[];

  constructor(protocol: Protocol, base: string) {
    this.protocol = protocol;
    this.base = base;
    this.#routes = protocol.routes.map((route) => [new RegExp(`^${route.path.replace(":id", "([^/:]+)")}/?$`), route]);
  }

  /** Returns the route of a request, and the still encoded `:id` of the path. */
  find(method: string | undefined, path: string): { readonly route: Route; readonly id: string } | undefined {
    for (const [pattern, route] of this.#routes) {
      const found = route.method === method ? pattern.exec(path) : null;
      if (found !== null) return { route, id: found[1] ?? "" };
    }
    return undefined;
  }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  served: ReadonlyMap<string, Serving>,
  { host, key, models, clock }: SandboxOptions & { readonly host: string; readonly key: string },
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const { method, headers } = request;
  const [whole = "/", query] = (request.url ?? "/").split("?");
  const provider = whole.split("/", 2)[1] ?? "";
  const serving = served.get(provider);
  const found = serving?.find(method, whole.slice(provider.length + 1));
  try {
    if (headers.host !== host) throw new Failure(403, "The sandbox only responds to its own host name.");
    if (found?.route.keyless !== true) checkKey(request, serving?.protocol, key);
    if (serving === undefined || found === undefined) {
      throw new Failure(404, `Unknown request URL: ${method} ${whole.slice(0, 200)}.`, { code: "unknown_url" });
    }
    await found.route.handle({
      base: serving.base,
      id: decodeId(found.id),
      query: new URLSearchParams(query),
      headers,
      body: await buffer(request),
      response,
      signal: gone.signal,
      clock,
      models: models(),
      tasks: serving.tasks,
    });
  } catch (error) {
    // A client that has gone, or that got a part, can only see the connection break.
    if (gone.signal.aborted || response.headersSent) response.destroy();
    else fail(response, error, found?.route.failureBody ?? serving?.protocol.failureBody ?? failureBody);
  }
}

/** @throws Failure (404) for invalid percent-encoding, which no id contains */
function decodeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    throw noSuchFile();
  }
}

/** Sends a failure; an error of any other type is a bug of the sandbox, in the provider's error format. */
function fail(response: ServerResponse, error: unknown, bodyFor: (failure: Failure) => string): void {
  const failure =
    error instanceof Failure
      ? error
      : new Failure(500, "The sandbox had an error while processing your request.", { type: "server_error" });
  send({ response }, failure.status, { "content-type": "application/json", ...failure.headers }, bodyFor(failure));
}

function checkKey({ headers }: IncomingMessage, protocol: Protocol | undefined, key: string): void {
  const given = headers[protocol?.keyHeader ?? ""]?.toString() ?? headers.authorization?.replace(/^Bearer /, "");
  if (given !== undefined && timingSafeEqual(computeDigest(given), computeDigest(key))) return;
  throw new Failure(401, given === undefined ? "You didn't provide an API key." : "Incorrect API key provided.", {
    code: "invalid_api_key",
  });
}

function computeDigest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
