import { BoundedMap } from "../../../lib/bounded-map.ts";
import type { Clock } from "../../../lib/clock.ts";

/** Tasks that are late at the same time; an older one would only be believed a little later. */
const MOST = 10_000;

/**
 * Moments of the wall clock that have passed. The clock is believed when it has said so for a while: one that is set
 * wrong and right again ends nothing, and after a day of sleep there is time to ask before anything is given up.
 */
export class PassedMoments {
  readonly #clock: Clock;
  readonly #whileMs: number;
  /** When it was first said, monotonic, by id. */
  readonly #since = new BoundedMap<string, number | null>(MOST);

  /** @param whileMs of the monotonic clock */
  constructor(clock: Clock, whileMs: number) {
    this.#clock = clock;
    this.#whileMs = whileMs;
  }

  /** Whether the moment of `id` has passed, and had when this was asked before. @param at Unix milliseconds */
  has(id: string, at: number): boolean {
    const now = this.#clock.monotonic();
    const since = this.#clock.now() < at ? null : (this.#since.get(id) ?? now);
    if (since !== null || this.#since.get(id) !== undefined) this.#since.set(id, since);
    return since !== null && now - since >= this.#whileMs;
  }
}
