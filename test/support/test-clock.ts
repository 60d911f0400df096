import type { Clock } from "../../gateway/lib/clock.ts";

/** The machine's clock, which a test may move forward. */
export class TestClock implements Clock {
  #ahead = 0;
  #wallAhead = 0;

  now(): number {
    return Date.now() + this.#ahead + this.#wallAhead;
  }

  monotonic(): number {
    return performance.now() + this.#ahead;
  }

  /** Time passes for both clocks. */
  advance(ms: number): void {
    this.#ahead += ms;
  }

  /** Only the wall clock jumps, to `at` (Unix milliseconds). */
  jumpTo(at: number): void {
    this.#wallAhead = at - Date.now() - this.#ahead;
  }
}
