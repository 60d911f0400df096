import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "./clock.ts";

/** Max milliseconds of a slice, approximately. */
const SLICE_MS = 4;

/** Long work in slices: it looks at `over` now and then, and waits for `pause` when it is time for others. */
export class Slices {
  readonly #clock: Clock;
  readonly #ms: number;
  #ends: number;

  /** @param ms slice length: shorter for background work */
  constructor(clock: Clock, ms = SLICE_MS) {
    this.#clock = clock;
    this.#ms = ms;
    this.#ends = clock.monotonic() + ms;
  }

  get over(): boolean {
    return this.#clock.monotonic() >= this.#ends;
  }

  /** Yields to the event loop. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#ends = this.#clock.monotonic() + this.#ms;
  }
}
