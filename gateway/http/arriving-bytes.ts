import { GatewayError } from "../core/errors.ts";

/** Seconds after which bodies that were on their way have probably arrived. */
const RETRY_AFTER = 5;

/**
 * Bounds the memory of all bodies that are on their way: thousands of clients that stop in the middle of a large one must
 * not take the memory of those that do not. What came is counted, not what is announced, so that silence takes no room.
 */
export class ArrivingBytes {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The share of one body. */
  open(): ArrivingBody {
    let own = 0;
    return {
      add: (bytes) => {
        if (this.#held + bytes > this.#limit) throw this.#full();
        this.#held += bytes;
        own += bytes;
      },
      close: () => {
        this.#held -= own;
        own = 0;
      },
    };
  }

  #full(): GatewayError {
    return new GatewayError(
      "concurrency_limit_exceeded",
      `Postern holds ${Math.floor(this.#limit / 1024 / 1024)} MiB of bodies that have not arrived whole, and takes no more at once. Try again in ${RETRY_AFTER} s.`,
      { retryAfter: RETRY_AFTER },
    );
  }
}

export interface ArrivingBody {
  /** @throws GatewayError concurrency_limit_exceeded when there is no room for these bytes. */
  add(bytes: number): void;
  /** It has arrived, or will not; calling it again does nothing. */
  close(): void;
}
