import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelSpec } from "../core/models/model.ts";
import type { Clock } from "../lib/clock.ts";
import { type Protocol, type Route, sendJson } from "./exchange.ts";
import { Failure, failureBody, readBody } from "./fields.ts";
import { protocolsOf } from "./protocols.ts";

export interface SandboxOptions {
  /** The models that it stands in for; asked at each request. */
  readonly models: () => readonly ModelSpec[];
  readonly clock: Clock;
}

/** The running sandbox. */
export interface Sandbox {
  /** `http://127.0.0.1:PORT`; each provider's protocol is served below its id: `/openai/v1/…`, `/dashscope/api/v1/…`. */
  readonly origin: string;
  /** The key that it accepts, made anew at each start and never written down. */
  readonly key: string;
  /** Breaks every connection and stops listening. */
  close(): Promise<void>;
}

/** An idle connection of the gateway's pool must not be closed just as it is used again. */
const KEEP_ALIVE_MS = 600_000;

/**
 * Starts the offline provider: a server on a free port of 127.0.0.1 that speaks the providers' own wire protocols, so
 * that the gateway reaches it with the same code as a real one. The same request gives the same bytes. It keeps nothing
 * but lists of video tasks and what was taken back of them: their ids hold all else. Only who has `key` is answered, and
 * only under its own host name.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const key = `sk-sandbox-${randomBytes(24).toString("hex")}`;
  const protocols = new Map(
    protocolsOf(options.models).map((protocol): [string, Protocol] => [protocol.provider, protocol]),
  );
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const admits = doorkeeper(host, key);
  server.on("request", (request, response) => {
    void respond(request, response, { admits, protocols, clock: options.clock });
  });
  return {
    origin: `http://${host}`,
    key,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Context {
  /**
   * @param protocol null for what needs no key.
   * @throws Failure when the request is not for us or not from us
   */
  readonly admits: (request: IncomingMessage, protocol: Protocol | null) => void;
  readonly protocols: ReadonlyMap<string, Protocol>;
  readonly clock: Clock;
}

async function respond(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const whole = (request.url ?? "/").split("?")[0] ?? "/";
  const provider = whole.split("/", 2)[1] ?? "";
  const protocol = context.protocols.get(provider);
  const path = whole.slice(provider.length + 1);
  const method = request.method ?? "GET";
  const matching = protocol?.routes.filter((route) => isAt(route, path)) ?? [];
  const route = matching.find((candidate) => candidate.method === method);
  try {
    if (protocol === undefined) throw unknownUrl(method, whole);
    context.admits(request, route?.keyless === true ? null : protocol);
    if (route === undefined) throw noRoute(matching, method, path);
    const body = await readBody(request, route.largestBody);
    await route.handle({ request, response, path, body, signal: gone.signal, clock: context.clock });
  } catch (error) {
    if (gone.signal.aborted) response.destroy();
    else fail(response, error instanceof Failure ? error : serverError(), route?.failureBody ?? protocol?.failureBody);
  }
}

/** A bug of the sandbox's own, as a provider's. */
function serverError(): Failure {
  return new Failure(500, "The sandbox had an error while processing your request.", { type: "server_error" });
}

function fail(response: ServerResponse, failure: Failure, bodyOf: Protocol["failureBody"] = failureBody): void {
  if (response.headersSent) response.destroy();
  else sendJson(response, failure.status, bodyOf(failure), failure.headers);
}

function doorkeeper(host: string, key: string): Context["admits"] {
  const expected = digestOf(key);
  return (request, protocol) => {
    if (request.headers.host !== host) throw new Failure(403, "The sandbox only responds to its own host name.");
    if (protocol === null) return;
    const given = protocol.keyOf(request.headers);
    if (given !== undefined && timingSafeEqual(digestOf(given), expected)) return;
    throw new Failure(401, given === undefined ? "You didn't provide an API key." : "Incorrect API key provided.", {
      code: "invalid_api_key",
      headers: { "www-authenticate": "Bearer" },
    });
  };
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isAt({ path }: Route, asked: string): boolean {
  return typeof path === "string" ? path === asked : path.test(asked);
}

/** @param others what is at the path for other methods. */
function noRoute(others: readonly Route[], method: string, path: string): Failure {
  if (others.length === 0) return unknownUrl(method, path);
  return new Failure(405, `Not allowed to ${method} on ${path.slice(0, 200)}.`, {
    code: "method_not_supported",
    headers: { allow: others.map((candidate) => candidate.method).join(", ") },
  });
}

function unknownUrl(method: string, path: string): Failure {
  return new Failure(404, `Unknown request URL: ${method} ${path.slice(0, 200)}.`, { code: "unknown_url" });
}
