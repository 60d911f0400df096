import type { TakenAttempt } from "../../core/recordings/make-recording.ts";
import { hold } from "../../lib/body-memory.ts";
import type { UpstreamRequest } from "../../upstream/provider-client.ts";
import type { AttemptObserver } from "../calls/call-observer.ts";
import { ResponseBuffer } from "./response-buffer.ts";

/** Takes down one request to a provider and its response. Headers are left out: they have the key. */
export class AttemptBuffer extends ResponseBuffer implements AttemptObserver {
  readonly #ms: number;
  readonly #url: string;
  readonly #body: Buffer | null;
  readonly #sentBytes: number;
  #error: string | null = null;

  /** @param elapsed milliseconds since the client's request arrived */
  constructor({ origin, path, body }: UpstreamRequest, elapsed: () => number) {
    super(elapsed);
    this.#ms = Math.round(elapsed() * 10) / 10;
    this.#url = origin + (path.split("?", 1)[0] ?? "");
    this.#body = typeof body === "string" ? Buffer.from(body) : Buffer.isBuffer(body) ? body : null;
    this.#sentBytes = Array.isArray(body)
      ? body.reduce((sum: number, { length }: Buffer) => sum + length, 0)
      : (this.#body?.length ?? 0);
    // Memory of a large body is given back once it was sent.
    if (this.#body !== null) hold(this.#body);
  }

  override get weight(): number {
    return super.weight + (this.#body?.length ?? 0);
  }

  fail(reason: string): void {
    this.#error ??= reason;
  }

  /** All that its recording is made of. */
  takeAttempt(): TakenAttempt {
    return {
      ...this.take(),
      ms: this.#ms,
      url: this.#url,
      body: this.#body,
      sentBytes: this.#sentBytes,
      error: this.#error,
    };
  }
}
