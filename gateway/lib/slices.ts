import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "./clock.ts";

/** The event loop is kept no longer than about this. */
const SLICE_MS = 4;

/** Long work in slices: it looks at `over` now and then, and waits for `pause` when it is time for others. */
export class Slices {
  readonly #clock: Clock;
  #ends: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#ends = clock.monotonic() + SLICE_MS;
  }

  get over(): boolean {
    return this.#clock.monotonic() >= this.#ends;
  }

  /** Lets everybody else have a turn of the event loop. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#ends = this.#clock.monotonic() + SLICE_MS;
  }
}
