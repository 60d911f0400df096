import type { Pool } from "undici";
import { checkedPool } from "./checked-pool.ts";
import type { CheckedUrl } from "./checked-pool.ts";
import { UpstreamFailure, toFailure } from "./failure.ts";
import type { Reach } from "./reach.ts";
import type { Resolve } from "./targets.ts";
import { Transfer } from "./transfer.ts";
import type { Exchange } from "./transfer.ts";
import { unreachable, webhookTarget } from "./webhook-target.ts";

/** docs/webhooks.md: "2xx within 15 s is delivered". */
const TOTAL_MS = 15_000;
/** Bytes of a response that are read and discarded, so that common servers can finish cleanly. */
const BODY_BYTES = 64 * 1_024;
const BODY_MS = 1_000;

/** The receiver's response. Only the start of its body is read, and discarded. */
export interface WebhookResponse {
  readonly status: number;
  readonly retryAfter: string | null;
}

export interface WebhookSenderOptions {
  /** For tests. */
  readonly resolve?: Resolve;
  readonly totalMs?: number;
}

/**
 * The HTTP client for webhooks. Clients choose the receivers, which are untrusted: private addresses cannot be reached
 * (docs/webhooks.md#receivers-on-your-own-machine-or-network), no redirect is followed, and only the webhook itself is
 * sent. Each attempt uses a separate connection.
 */
export class WebhookSender {
  readonly #reach: () => Reach;
  readonly #options: WebhookSenderOptions;

  constructor(reach: () => Reach, options: WebhookSenderOptions = {}) {
    this.#reach = reach;
    this.#options = options;
  }

  /**
   * Posts `payload`. @param signal aborts the attempt
   * @throws WebhookRefused for a forbidden target, UpstreamFailure without a response in 15 seconds
   */
  async post(
    address: string,
    headers: Readonly<Record<string, string>>,
    payload: string,
    signal: AbortSignal,
  ): Promise<WebhookResponse> {
    if (signal.aborted) throw createStopped();
    const reach = this.#reach();
    const target = webhookTarget(address, reach);
    const { resolve } = this.#options;
    const pool = checkedPool(target, { problem: unreachable, findProxy: reach.findProxy, resolve });
    const attempt = new WebhookAttempt(pool);
    const end = (): void => attempt.end(createStopped());
    signal.addEventListener("abort", end, { once: true });
    const timer = setTimeout(
      () => attempt.end(new UpstreamFailure("head_timeout", true, "no answer in time")),
      this.#options.totalMs ?? TOTAL_MS,
    );
    try {
      const exchange = await attempt.ask(target, headers, payload);
      await drainBody(exchange);
      return { status: exchange.status, retryAfter: exchange.headers["retry-after"] ?? null };
    } catch (error) {
      throw toFailure(error, true);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      await pool.destroy();
    }
  }
}

const createStopped = (): UpstreamFailure => new UpstreamFailure("aborted", true, "Postern was stopped");

/** A POST whose outcome is its status: failures after the head do not matter. */
class WebhookAttempt {
  readonly #pool: Pool;
  readonly #answer = Promise.withResolvers<Exchange>();
  #transfer: Transfer | null = null;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  ask({ url }: CheckedUrl, headers: Readonly<Record<string, string>>, payload: string): Promise<Exchange> {
    this.#transfer = new Transfer(this.#answer.resolve, this.#answer.reject);
    const body = Buffer.from(payload);
    this.#pool.dispatch(
      {
        path: url.pathname + url.search,
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          "content-length": String(body.length),
          accept: "*/*",
          "accept-encoding": "identity",
          "user-agent": "Postern",
        },
        body,
        // The overall timer takes precedence over these.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      this.#transfer,
    );
    return this.#answer.promise;
  }

  end(failure: UpstreamFailure): void {
    this.#answer.reject(failure);
    this.#transfer?.abort();
  }
}

/** Resolves when the body has ended in any way, exceeds the limit, or takes too long. Aborts nothing. */
async function drainBody(exchange: Exchange): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const timer = setTimeout(() => ended.resolve(), BODY_MS);
  let size = 0;
  exchange.consume({
    onData: (chunk) => {
      size += chunk.length;
      if (size >= BODY_BYTES) ended.resolve();
    },
    onEnd: () => ended.resolve(),
    onError: () => ended.resolve(),
  });
  await ended.promise;
  clearTimeout(timer);
}
