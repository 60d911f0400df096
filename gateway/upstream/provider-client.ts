import { Rounds } from "../lib/rounds.ts";
import { isIP } from "node:net";
import { Pool } from "undici";
import type { buildConnector } from "undici";
import type { Proxy } from "../contract/proxy.ts";
import { KnownSecrets } from "../lib/known-secrets.ts";
import { CONNECT_TIMEOUT_CODE, UpstreamFailure, getErrorCode, createStopped, toFailure } from "./failure.ts";
import { isProxied, makeConnector } from "./outbound.ts";
import { ResponseRoom } from "./response-room.ts";
import { isForbiddenAddress, isLocalPeer, isPrivateAddress, getLookup } from "./targets.ts";
import { SentBody } from "./sent-body.ts";
import { Transfer } from "./transfer.ts";
import type { Exchange, Timeouts } from "./transfer.ts";

/** The owner's settings for the other end. */
export interface Peer {
  /** Requests may go to the open internet unencrypted. */
  readonly plainHttp: boolean;
  /** A program of this machine: the user that it must belong to. Null: any program. */
  readonly uid: number | null;
  /** The connection's own proxy: `direct` or a URL; null: by the setting. */
  readonly proxy?: string | null;
  /** Header fields of its owner, in lower case. They go before those of the request. */
  readonly headers?: Readonly<Record<string, string>> | null;
}

/** A request to a provider. Only headers that are named here are sent. */
export interface UpstreamRequest {
  /** `https://api.example.com`, without a path. */
  readonly origin: string;
  /** Absent: plain http only goes to private addresses, and to any program there. */
  readonly peer?: Peer | undefined;
  /** Path and query. */
  readonly path: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parts are sent in sequence; their length is in the headers. */
  readonly body: Buffer | readonly Buffer[] | string | null;
  /** Milliseconds until the head of the response, once connected. */
  readonly headTimeout: number;
  /** Milliseconds between two chunks of the response. */
  readonly gapTimeout: number;
  /** Milliseconds for the whole of it; absent: no limit. */
  readonly callTimeout?: number | undefined;
  /** The setting of `headTimeout`; see `Timeouts.headLimit`. */
  readonly headLimit?: Timeouts["headLimit"];
  /** Called when nothing of it is in progress. */
  readonly onEnd?: (() => void) | undefined;
}

/** An attempt that can be ended before its response has started. */
export interface Attempt {
  /** Rejects with UpstreamFailure. */
  readonly response: Promise<Exchange>;
  /** Whether the request is being written, so that the provider may execute it. */
  isSent(): boolean;
  abort(): void;
}

/** undici's own timers make two objects for each request that stay for a second. */
const TICK_MS = 250;
const CONNECT_TIMEOUT_MS = 5_000;
/** Shorter than the idle limits of common servers, so that a request rarely meets a connection that just closed. */
const KEEP_ALIVE_MS = 4_000;
/** Milliseconds after the last request within which no server closes a connection as idle. */
const RESTED_MS = 500;
/** Max connections: streams hold one each for minutes, agents open many, and a queued one would appear dead. */
const CONNECTIONS_PER_ORIGIN = 4_096;

/** Returns the user of the program on a local port: undefined without a program, null if the system does not say. */
export type PortUid = (port: number) => Promise<number | null | undefined>;

/** Finds the proxy for a URL; `choice` is the connection's own, null without one. */
export type FindProviderProxy = (url: URL, choice: string | null) => Promise<Proxy | null>;

/** Options of a client for providers; each field has a default for tests. */
export interface ProviderClientOptions {
  readonly portUid?: PortUid;
  /** Space that large responses share. */
  readonly room?: ResponseRoom;
  /** Missing: always direct. */
  readonly findProxy?: FindProviderProxy;
  /** How long connecting may take. */
  readonly connectMs?: () => number;
}

/**
 * The only HTTP client for providers: every byte to a provider passes through it. Redirects are never followed. Once
 * closed, it stays closed.
 */
export class ProviderClient {
  readonly #pools = new Map<string, UsedPool>();
  readonly #secrets: KnownSecrets;
  readonly #portUid: PortUid;
  readonly #findProxy: FindProviderProxy | undefined;
  /** Space that large responses share. */
  readonly #room: ResponseRoom;
  /** Running requests, which time out if a provider stays silent too long. */
  readonly #silence = new Rounds<Transfer>(TICK_MS, (transfer) => transfer.tick(TICK_MS));
  readonly #connectMs: () => number;
  #closed = false;

  /** @param secrets are redacted in all responses, because a provider knows at least its own */
  constructor(secrets = new KnownSecrets(), options: ProviderClientOptions = {}) {
    this.#secrets = secrets;
    this.#portUid = options.portUid ?? (() => Promise.resolve(null));
    this.#room = options.room ?? new ResponseRoom();
    this.#findProxy = options.findProxy;
    this.#connectMs = options.connectMs ?? (() => CONNECT_TIMEOUT_MS);
  }

  /** Sends a request. Failures before a response reject `answer`; nothing is thrown. */
  open(request: UpstreamRequest): Attempt {
    let transfer: Transfer | null = null;
    const response = new Promise<Exchange>((resolve, reject) => {
      const { headTimeout: head, gapTimeout: gap, callTimeout: call, headLimit } = request;
      const timeouts = { head, gap, call, headLimit };
      const opened = new Transfer(resolve, reject, this.#secrets, this.#room, timeouts, this.#silence);
      transfer = opened;
      if (request.onEnd !== undefined) opened.callAtEnd(request.onEnd);
      try {
        const used = this.#pool(request);
        const now = performance.now();
        const rested = now - used.at > RESTED_MS;
        used.at = now;
        if (rested) afterNextPoll(() => dispatch(used, request, opened, reject));
        else dispatch(used, request, opened, reject);
      } catch (error) {
        request.onEnd?.();
        reject(toFailure(error, false));
      }
    });
    return { response, isSent: () => transfer?.isSent === true, abort: () => transfer?.abort() };
  }

  #pool({ origin, peer }: UpstreamRequest): UsedPool {
    if (this.#closed) throw createStopped();
    const name = peer === undefined ? origin : `${origin} ${peer.plainHttp} ${peer.uid} ${peer.proxy}`;
    const known = this.#pools.get(name);
    if (known !== undefined) return known;
    let limitMs = this.#connectMs();
    let connect = this.#connector(origin, peer, limitMs);
    const pool = new Pool(origin, {
      connections: CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      allowH2: false,
      connect: (options, callback) => {
        const ms = this.#connectMs();
        if (ms !== limitMs) connect = this.#connector(origin, peer, (limitMs = ms));
        return connect(options, (...connected) => {
          const [error, socket] = connected;
          used.made += 1;
          if (error === null && socket !== null) used.isLocal = isLocalPeer(socket, isProxied(socket));
          if (error !== null && getErrorCode(error) === CONNECT_TIMEOUT_CODE)
            callback(tooSlowToConnect(ms, error), null);
          else callback(...connected);
        });
      },
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    const used: UsedPool = { pool, at: performance.now(), made: 0, isLocal: false };
    this.#pools.set(name, used);
    return used;
  }

  /** Connects to addresses that the origin may have, checked as they are connected to: a name can be pointed elsewhere. */
  #connector(origin: string, peer: Peer | undefined, timeout: number): buildConnector.connector {
    const url = new URL(origin);
    const clear = url.protocol === "http:" && peer?.plainHttp !== true;
    const accepts = (address: string): boolean => !isForbiddenAddress(address) && (!clear || isPrivateAddress(address));
    const problem = (hostname: string): Error =>
      new UpstreamFailure("refused", false, clear ? describeUnencrypted(hostname) : notAProviders(hostname));
    const hostname = url.hostname.replace(/^\[|\]$/g, "");
    // Sockets do no lookup for IP literals, so these are checked here.
    if (isIP(hostname) !== 0 && !accepts(hostname)) throw problem(hostname);
    const find = this.#findProxy;
    const choice = peer?.proxy ?? null;
    const connect = makeConnector({
      timeout,
      lookup: getLookup(accepts, problem),
      findProxy: find === undefined ? undefined : (target) => find(target, choice),
    });
    const uid = peer?.uid ?? null;
    return uid === null ? connect : this.#connectedTo(uid, Number(url.port), connect);
  }

  /** Passes a connection on once the user of the program at its other end is known. */
  #connectedTo(uid: number, port: number, connect: buildConnector.connector): buildConnector.connector {
    const isTheirs = async (): Promise<boolean> => {
      const now = await this.#portUid(port);
      return now === uid || now === null;
    };
    return (options, callback) => {
      const hand = async (...connected: Parameters<typeof callback>): Promise<void> => {
        const [error, socket] = connected;
        if (error !== null || socket === null) return callback(...connected);
        if (await isTheirs().catch(() => false)) return callback(null, socket);
        socket.destroy();
        callback(new UpstreamFailure("refused", false, `the program at port ${port} is another user's now`), null);
      };
      connect(options, (...connected) => void hand(...connected));
    };
  }

  /** Ends all connections; nothing is sent any more. */
  async close(): Promise<void> {
    this.#closed = true;
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map(({ pool }) => pool.destroy(createStopped())));
  }
}

function tooSlowToConnect(ms: number, cause: Error): UpstreamFailure {
  return new UpstreamFailure("refused", false, `no connection within ${ms / 1_000} s`, cause, { name: "connect", ms });
}

function notAProviders(hostname: string): string {
  return `${hostname} has no address that a provider may have`;
}

function describeUnencrypted(hostname: string): string {
  return `${hostname} is not on a private network, and plain http would show keys and prompts to everybody on the way. Use an https address, or allow plain http for this connection`;
}

interface UsedPool {
  readonly pool: Pool;
  /** When the last request was sent, by the monotonic clock. */
  at: number;
  /** How many connections were made. */
  made: number;
  /** Whether the newest one leads to a local server. */
  isLocal: boolean;
}

/**
 * Runs work after the next poll. The provider may have closed idle connections, which a busy process has not noticed
 * yet: a request on one would be lost, without knowing whether it was executed. After the event loop has polled its
 * sockets, closed ones are known.
 */
function afterNextPoll(work: () => void): void {
  setImmediate(() => setImmediate(work));
}

function dispatch(
  used: UsedPool,
  request: UpstreamRequest,
  transfer: Transfer,
  reject: (failure: UpstreamFailure) => void,
): void {
  try {
    const large = SentBody.of(request.body);
    if (large !== null) transfer.sends(large);
    transfer.onDispatched(used);
    used.pool.dispatch(
      {
        path: request.path,
        method: request.method,
        headers: request.peer?.headers == null ? request.headers : { ...request.headers, ...request.peer.headers },
        // undici accepts any iterable; its types do not declare it.
        body: large?.bytes ?? (request.body as Buffer),
        // The transfer ends itself.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      transfer,
    );
  } catch (error) {
    request.onEnd?.();
    reject(toFailure(error, false));
  }
}
