import type { Pool } from "undici";
import { checkedPool } from "./checked-pool.ts";
import { UpstreamFailure, createStopped, toFailure } from "./failure.ts";
import { LimitedBody } from "./limited-body.ts";
import { getDownloadTarget, notPublic } from "./download-target.ts";
import type { FindProxy } from "./outbound.ts";
import type { Reach } from "./reach.ts";
import type { Resolve } from "./targets.ts";
import { Transfer } from "./transfer.ts";
import type { BodySink } from "./decode.ts";
import type { Exchange } from "./transfer.ts";

/** The limits of one caller's downloads. */
export interface DownloadLimits {
  /** Media types, or beginnings of them (`image/`); a response without a type, or of plain bytes, always passes. */
  readonly types: readonly string[];
  /** Bytes of the file, unpacked. */
  readonly maxBytes: number;
  /** Milliseconds from the start to the last byte, redirects included. */
  readonly totalMs: number;
  /** Milliseconds without a byte. */
  readonly idleMs: number;
}

/** A file whose head has arrived. Read its body once. Failures are UpstreamFailures whose messages are sentences. */
export interface Download {
  /** Lower case, without parameters; empty if missing. The actual type is detected from the bytes. */
  readonly contentType: string;
  /** The whole file. */
  collect(): Promise<Buffer>;
  /** The file as it comes. */
  consume(sink: BodySink): void;
  pause(): void;
  resume(): void;
  abort(): void;
}

/** A download that can be ended before its head has come. */
export interface DownloadAttempt {
  /** Rejects with UpstreamFailure. */
  readonly response: Promise<Download>;
  abort(): void;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Types that storages without types send for every file. */
const UNTYPED = new Set(["", "application/octet-stream", "binary/octet-stream"]);
/** No key, no cookie, nothing of the client's. */
const HEADERS = { accept: "*/*", "accept-encoding": "identity", "user-agent": "Postern" };

/**
 * The HTTP client for URLs in providers' responses: result files of speech, images, videos. Responses are untrusted, so
 * it cannot reach private addresses: the URL is checked, then the connected address, and both again for each redirect.
 */
export class Downloader {
  readonly #reach: () => Reach;
  readonly #resolve: Resolve | undefined;
  readonly #runs = new Set<DownloadRun>();
  #closed = false;

  /** @param resolve for tests. */
  constructor(reach: () => Reach, resolve?: Resolve) {
    this.#reach = reach;
    this.#resolve = resolve;
  }

  /** @param providerTarget `formatTarget` the base URL of the connection that gave the URL: its own host may be fetched from. */
  open(url: string, providerTarget: string, limits: DownloadLimits): DownloadAttempt {
    const reach = this.#reach();
    const allowed = new Set([...reach.allowed, providerTarget]);
    if (this.#closed) return { response: Promise.reject(createStopped()), abort: () => undefined };
    const findProxy: FindProxy = async (target) => (await reach.findProxy?.(target, providerTarget)) ?? null;
    const options = { limits, findProxy, resolve: this.#resolve };
    const run = new DownloadRun({ ...reach, allowed }, options, () => this.#runs.delete(run));
    this.#runs.add(run);
    return { response: run.start(url), abort: () => run.abort() };
  }

  /** Aborts all downloads; nothing is fetched any more. */
  close(): void {
    this.#closed = true;
    for (const run of this.#runs) run.abort();
  }
}

interface RunOptions {
  readonly limits: DownloadLimits;
  readonly findProxy: FindProxy;
  readonly resolve: Resolve | undefined;
}

/** A download through its redirects. Each hop has a connection of its own, so that no checked address is ever reused. */
class DownloadRun {
  readonly #reach: Reach;
  readonly #options: RunOptions;
  /** Called one or more times at the end. */
  readonly #onEnd: () => void;
  readonly #timer: NodeJS.Timeout;
  #end: (failure: UpstreamFailure) => void = () => {};
  #failure: UpstreamFailure | null = null;

  constructor(reach: Reach, options: RunOptions, onEnd: () => void) {
    this.#reach = reach;
    this.#options = options;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(() => {
      this.#stop(new UpstreamFailure("gap_timeout", true, "the result took too long to arrive"));
    }, options.limits.totalMs);
  }

  abort(): void {
    this.#stop(new UpstreamFailure("aborted", true, "the download was ended by Postern"));
  }

  async start(first: string): Promise<Download> {
    try {
      let text = first;
      for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
        const target = getDownloadTarget(text, this.#reach, hop > 0);
        const pool = checkedPool(target, { ...this.#options, problem: notPublic });
        const exchange = await this.#ask(pool, target.url);
        if (!REDIRECTS.has(exchange.status)) return this.#deliver(exchange, pool);
        const location = exchange.headers["location"];
        this.#leave(exchange, pool);
        const next = location === undefined ? null : URL.parse(location, target.url.href);
        if (next === null) throw new UpstreamFailure("malformed", true, "the result's URL redirects to nowhere");
        text = next.href;
      }
      throw new UpstreamFailure("malformed", true, `the result's URL redirects more than ${MAX_REDIRECTS} times`);
    } catch (error) {
      clearTimeout(this.#timer);
      this.#onEnd();
      throw this.#failure ?? toFailure(error, true);
    }
  }

  #ask(pool: Pool, url: URL): Promise<Exchange> {
    return new Promise((resolve, reject) => {
      const failed = (failure: UpstreamFailure): void => {
        void pool.destroy();
        reject(failure);
      };
      const transfer = new Transfer(resolve, failed);
      this.#end = (failure) => {
        transfer.abort();
        failed(failure);
      };
      if (this.#failure !== null) return failed(this.#failure);
      pool.dispatch(
        {
          path: url.pathname + url.search,
          method: "GET",
          headers: HEADERS,
          headersTimeout: this.#options.limits.idleMs,
          bodyTimeout: this.#options.limits.idleMs,
        },
        transfer,
      );
    });
  }

  #deliver(exchange: Exchange, pool: Pool): Download {
    const body = new LimitedBody(exchange, this.#options.limits.maxBytes, () => {
      clearTimeout(this.#timer);
      this.#onEnd();
      void pool.destroy();
    });
    this.#end = (failure) => body.stop(failure);
    const contentType = (exchange.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
    const problem = this.#objection(exchange, contentType);
    if (problem !== null) {
      this.#leave(exchange, pool);
      throw problem;
    }
    return {
      contentType,
      collect: () => body.collect(),
      consume: (sink) => body.consume(sink),
      pause: () => exchange.pause(),
      resume: () => exchange.resume(),
      abort: () => this.abort(),
    };
  }

  #objection({ status, headers }: Exchange, contentType: string): UpstreamFailure | null {
    if (status !== 200) {
      return new UpstreamFailure("malformed", true, `the result's URL responded with status ${status}`);
    }
    if (Number(headers["content-length"] ?? 0) > this.#options.limits.maxBytes) {
      return new UpstreamFailure("too_large", true, `the result is larger than ${this.#options.limits.maxBytes} bytes`);
    }
    if (UNTYPED.has(contentType) || this.#options.limits.types.some((type) => contentType.startsWith(type)))
      return null;
    return new UpstreamFailure("malformed", true, `the result is of the type ${contentType.slice(0, 60)}`);
  }

  #leave(exchange: Exchange, pool: Pool): void {
    exchange.abort();
    void pool.destroy();
  }

  #stop(failure: UpstreamFailure): void {
    clearTimeout(this.#timer);
    this.#failure ??= failure;
    this.#end(this.#failure);
  }
}
