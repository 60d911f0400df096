import { GatewayError } from "../../core/errors.ts";

/** Seconds after which room has probably been made: an edit takes some. */
const RETRY_AFTER = 5;

/**
 * Bounds the memory of all uploads together: each takes its size before a byte of it is read, and gives it back when
 * its answer is out. At its peak an upload takes three times its size: the pieces it came in, the whole, and the body
 * for the vendor.
 */
export class UploadBudget {
  #free: number;
  readonly #total: number;

  constructor(bytes: number) {
    this.#free = bytes;
    this.#total = bytes;
  }

  /**
   * @returns gives the bytes back; calling it again does nothing.
   * @throws GatewayError concurrency_limit_exceeded when there is no room.
   */
  take(bytes: number): () => void {
    if (bytes > this.#free) {
      throw new GatewayError(
        "concurrency_limit_exceeded",
        `Postern takes ${Math.floor(this.#total / 1024 / 1024)} MiB of uploads at once, and others are on their way. Try again in ${RETRY_AFTER} s.`,
        { retryAfter: RETRY_AFTER },
      );
    }
    this.#free -= bytes;
    let held = true;
    return () => {
      if (held) this.#free += bytes;
      held = false;
    };
  }
}
