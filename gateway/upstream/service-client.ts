import { readRetryAfter } from "../core/webhooks/webhook-schedule.ts";
import type { KnownSecrets } from "../lib/known-secrets.ts";
import { checkedPool } from "./checked-pool.ts";
import { UpstreamFailure, createStopped, toFailure } from "./failure.ts";
import { getAddresses, getLiteral } from "./reach.ts";
import type { Reach } from "./reach.ts";
import { isLoopbackHost, isPrivateAddress, formatTarget } from "./targets.ts";
import type { Resolve } from "./targets.ts";
import { Transfer } from "./transfer.ts";
import type { Exchange } from "./transfer.ts";

/** Max milliseconds from the start to the last byte. A model and its client wait for a search. */
const TOTAL_MS = 15_000;
/** Max bytes of a response: a search has some dozens of kilobytes; OTLP recommends this for collectors. */
const MOST_BYTES = 4 * 1024 * 1024;

export interface ServiceCall {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The user configured this exact host: it may be in a private network, where plain http is allowed. */
  readonly named?: true;
}

export interface ServiceReply {
  readonly status: number;
  /** Milliseconds to wait as requested by the service; null if not given. */
  readonly retryAfter: number | null;
  readonly body: Buffer;
}

export interface ServiceClientOptions {
  /** For tests. */
  readonly resolve?: Resolve;
  readonly totalMs?: number;
}

/**
 * The HTTP client for other services: web search, and the user's telemetry collector. Its URLs are configured or our
 * own, but the checked pool ensures that keys go nowhere else: public addresses by https, this machine, and exact
 * allowed pairs. Redirects are not followed, and secrets in responses are redacted.
 */
export class ServiceClient {
  readonly #reach: () => Reach;
  readonly #secrets: KnownSecrets;
  readonly #options: ServiceClientOptions;

  constructor(reach: () => Reach, secrets: KnownSecrets, options: ServiceClientOptions = {}) {
    this.#reach = reach;
    this.#secrets = secrets;
    this.#options = options;
  }

  /** @param signal aborts it. @throws UpstreamFailure without a complete response in time */
  async ask(call: ServiceCall, signal: AbortSignal): Promise<ServiceReply> {
    if (signal.aborted) throw createStopped();
    const target = this.#target(call);
    const pool = checkedPool(target, {
      problem: notReached,
      findProxy: this.#reach().findProxy,
      resolve: this.#options.resolve,
    });
    const head = Promise.withResolvers<Exchange>();
    const ended = Promise.withResolvers<never>();
    const transfer = new Transfer(head.resolve, head.reject, this.#secrets);
    const end = (failure: UpstreamFailure): void => {
      ended.reject(failure);
      transfer.abort();
    };
    const aborted = (): void => end(new UpstreamFailure("aborted", true, "the call was ended"));
    // Losers of the race below are ignored.
    head.promise.catch(() => undefined);
    ended.promise.catch(() => undefined);
    const totalMs = this.#options.totalMs ?? TOTAL_MS;
    const timer = setTimeout(
      () => end(new UpstreamFailure("head_timeout", true, `no response in ${totalMs / 1_000} s`)),
      totalMs,
    );
    signal.addEventListener("abort", aborted, { once: true });
    try {
      const body = call.body === null ? null : Buffer.from(call.body);
      pool.dispatch(
        {
          path: target.url.pathname + target.url.search,
          method: call.method,
          headers: {
            accept: "application/json",
            "accept-encoding": "identity",
            "user-agent": "Postern",
            ...call.headers,
            ...(body === null ? {} : { "content-length": String(body.length) }),
          },
          body,
          // The overall timer takes precedence over these.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        transfer,
      );
      const exchange = await Promise.race([head.promise, ended.promise]);
      const whole = exchange.collect(MOST_BYTES);
      whole.catch(() => undefined);
      return {
        status: exchange.status,
        retryAfter: readRetryAfter(exchange.headers["retry-after"] ?? null, Date.now()),
        body: await Promise.race([whole, ended.promise]),
      };
    } catch (error) {
      throw toFailure(error, true);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", aborted);
      await pool.destroy();
    }
  }

  #target({ url: text, named }: ServiceCall) {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol)) throw notReached();
    if (url.username !== "" || url.password !== "") throw notReached();
    const reach = this.#reach();
    const target = formatTarget(url);
    // The user's own servers may be on this machine; hosts elsewhere in a private network must be allowed by name.
    const allowed =
      named === true || isLoopbackHost(url.hostname) ? new Set([...reach.allowed, target]) : reach.allowed;
    const plain = url.protocol !== "https:";
    if (plain && !allowed.has(target)) throw notReached();
    const reachable = getAddresses(url, { ...reach, allowed });
    const privateOnly = named === true && plain && !reach.allowed.has(target);
    const accepts = (address: string): boolean => reachable(address) && (!privateOnly || isPrivateAddress(address));
    const literal = getLiteral(url.hostname);
    if (literal !== null && !accepts(literal)) throw notReached();
    return { url, accepts };
  }
}

function notReached(): UpstreamFailure {
  return new UpstreamFailure(
    "refused",
    false,
    "its address is not on this machine, not an https address of the open internet and not an allowed target",
  );
}
