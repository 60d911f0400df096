import type { Clock } from "../../gateway/lib/clock.ts";
import type { Later } from "../../gateway/lib/later.ts";

/**
 * Time that runs many times faster than the machine's: what a gateway does in minutes is seen in a second. Both clocks
 * and the timers agree with each other. The wall clock may jump.
 */
export class FastTime implements Clock {
  readonly #speed: number;
  readonly #wall = Date.now();
  readonly #startedAt = performance.now();
  #jumped = 0;

  /** @param since Unix ms at which it was the machine's own time: two processes with the same one agree. Else now. */
  constructor(speed = 100, since?: number) {
    this.#speed = speed;
    if (since !== undefined) this.#jumped = (this.#wall - since) * (speed - 1);
  }

  now(): number {
    return Math.round(this.#wall + this.#passed() + this.#jumped);
  }

  monotonic(): number {
    return this.#passed();
  }

  readonly later: Later = (ms, work) => {
    const timer = setTimeout(work, ms / this.#speed);
    return () => clearTimeout(timer);
  };

  /** The wall clock is set forward, or back. */
  jump(ms: number): void {
    this.#jumped += ms;
  }

  #passed(): number {
    return (performance.now() - this.#startedAt) * this.#speed;
  }
}
