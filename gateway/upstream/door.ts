import { Pool } from "undici";
import { UpstreamFailure, toFailure } from "./failure.ts";
import { guardedLookup, isForbiddenAddress } from "./targets.ts";
import { Transfer } from "./transfer.ts";
import type { Exchange } from "./transfer.ts";

/** A request to a vendor. Only headers that are named here are sent. */
export interface UpstreamRequest {
  /** `https://api.example.com`, without a path. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | null;
  /** Milliseconds until the head of the answer, after the connection stands. */
  readonly headTimeout: number;
  /** Milliseconds between two chunks of the answer. */
  readonly gapTimeout: number;
}

/** An attempt that can be ended before its answer has begun. */
export interface Attempt {
  /** Rejects with UpstreamFailure. */
  readonly answer: Promise<Exchange>;
  abort(): void;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Shorter than the idle limits of common servers, so that a request rarely meets a connection that just closed. */
const KEEP_ALIVE_MS = 4_000;
/** Within so long of the last request nobody closes a connection for being idle. */
const RESTED_MS = 500;
/** Streams hold one each for minutes: agents open many, and one that waits for another would look dead. */
const CONNECTIONS_PER_ORIGIN = 4_096;

/** The one door out: every byte to a vendor passes here. Redirects are never followed. */
export class Door {
  readonly #pools = new Map<string, UsedPool>();

  /** Sends a request. Failures before an answer reject `answer`; nothing is thrown. */
  open(request: UpstreamRequest): Attempt {
    let transfer: Transfer | null = null;
    const answer = new Promise<Exchange>((resolve, reject) => {
      const begun = new Transfer(resolve, reject);
      transfer = begun;
      try {
        const used = this.#pool(request.origin);
        const now = performance.now();
        const rested = now - used.at > RESTED_MS;
        used.at = now;
        if (rested) afterNextPoll(() => dispatch(used.pool, request, begun, reject));
        else dispatch(used.pool, request, begun, reject);
      } catch (error) {
        reject(toFailure(error, false));
      }
    });
    return { answer, abort: () => transfer?.abort() };
  }

  #pool(origin: string): UsedPool {
    const known = this.#pools.get(origin);
    if (known !== undefined) return known;
    const hostname = new URL(origin).hostname.replace(/^\[|\]$/g, "");
    if (isForbiddenAddress(hostname)) {
      throw new UpstreamFailure("refused", false, `${hostname} is not an address that a vendor may have`);
    }
    const pool = new Pool(origin, {
      connections: CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: CONNECT_TIMEOUT_MS, lookup: guardedLookup },
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    const used: UsedPool = { pool, at: performance.now() };
    this.#pools.set(origin, used);
    return used;
  }

  /** Ends every connection at once. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map(({ pool }) => pool.destroy()));
    this.#pools.clear();
  }
}

interface UsedPool {
  readonly pool: Pool;
  /** When the last request was sent, by the monotonic clock. */
  at: number;
}

/**
 * When connections have rested, some may have been closed by the vendor, and this process, busy with something else, has
 * not heard of it yet: a request on one of these would be lost, and whether it was executed could not be told. After
 * the event loop has looked at its sockets once more, they are known.
 */
function afterNextPoll(work: () => void): void {
  setImmediate(() => setImmediate(work));
}

function dispatch(
  pool: Pool,
  request: UpstreamRequest,
  transfer: Transfer,
  reject: (failure: UpstreamFailure) => void,
): void {
  try {
    pool.dispatch(
      {
        path: request.path,
        method: request.method,
        headers: request.headers,
        body: request.body,
        headersTimeout: request.headTimeout,
        bodyTimeout: request.gapTimeout,
      },
      transfer,
    );
  } catch (error) {
    reject(toFailure(error, false));
  }
}
