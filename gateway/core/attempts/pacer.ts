/** Rate limits that the user sets for a connection; null: none. */
export interface Pace {
  /** Requests per minute. */
  readonly rpm: number | null;
  /** Requests at the same time. */
  readonly concurrency: number | null;
}

const MINUTE_MS = 60_000;
/** Milliseconds between checks whether another request has ended. */
const LOOK_MS = 50;

/** Keeps the requests to one connection within the pace that its provider allows. Times are monotonic milliseconds. */
export class Pacer {
  readonly #pace: Pace;
  /** Times of the last requests, oldest first; at most `rpm` of them. */
  readonly #sent: number[] = [];
  #running = 0;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  /** Returns the milliseconds until a request may be sent; 0: now. */
  getDelay(now: number): number {
    const { rpm, concurrency } = this.#pace;
    const [oldest] = this.#sent;
    const delay = rpm === null || this.#sent.length < rpm || oldest === undefined ? 0 : oldest + MINUTE_MS - now;
    if (delay > 0) return delay;
    return concurrency !== null && this.#running >= concurrency ? LOOK_MS : 0;
  }

  /**
   * Counts a request that is sent now.
   * @returns what to call at its end, as often as may be
   */
  enter(now: number): () => void {
    const { rpm } = this.#pace;
    if (rpm !== null) {
      if (this.#sent.length >= rpm) this.#sent.shift();
      this.#sent.push(now);
    }
    this.#running += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#running -= 1;
      isOver = true;
    };
  }
}
