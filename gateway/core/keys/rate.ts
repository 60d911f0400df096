/** The window that "requests per minute" is counted in. */
const WINDOW_MS = 60_000;

/**
 * Requests per minute of one key, as an exact sliding window: in no 60 seconds are more than `limit` requests let in,
 * and one is let in as soon as that allows. (A token bucket would let in twice as many around a quiet minute, and fixed
 * minutes twice as many around their border.) Remembers the moments of the last `limit` requests; the oldest of them
 * alone decides, so a request costs the same however high the limit is.
 *
 * Times are milliseconds of a clock that never goes back (`Clock.monotonic`).
 */
export class RequestWindow {
  #limit: number;
  /** Moments of requests that were let in, a ring that grows to `#limit`; `#oldest` is where the next one goes. */
  #moments: number[] = [];
  #oldest = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** 0 where a request can be let in, else how many seconds (with fractions) until one can be. */
  wait(at: number): number {
    if (this.#moments.length < this.#limit) return 0;
    return Math.max(0, (this.#moments[this.#oldest] ?? 0) + WINDOW_MS - at) / 1_000;
  }

  /** Counts a request that was let in: `wait` was 0. */
  enter(at: number): void {
    if (this.#moments.length < this.#limit) {
      this.#moments.push(at);
      return;
    }
    this.#moments[this.#oldest] = at;
    this.#oldest = (this.#oldest + 1) % this.#limit;
  }

  /** Changes the limit; requests that were let in before still count. */
  setLimit(limit: number): void {
    if (limit === this.#limit) return;
    const ordered = [...this.#moments.slice(this.#oldest), ...this.#moments.slice(0, this.#oldest)];
    this.#moments = ordered.slice(-limit);
    this.#oldest = 0;
    this.#limit = limit;
  }
}

/** Requests in flight at once of one key. */
export class InFlight {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /**
   * Lets a request in unless `limit` are in flight already (null: no limit).
   * @returns what to call when it is over, safe to call twice; null when it was not let in.
   */
  tryEnter(limit: number | null): (() => void) | null {
    if (limit !== null && this.#count >= limit) return null;
    this.#count += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#count -= 1;
    };
  }
}
