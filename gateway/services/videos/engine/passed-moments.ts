import { BoundedMap } from "../../../lib/bounded-map.ts";
import type { Clock } from "../../../lib/clock.ts";

/** Max tracked late tasks; an older one would only be accepted a little later. */
const MOST = 10_000;

/**
 * Wall-clock deadlines that have passed. A deadline counts only after the clock has shown it for a while: a clock that
 * is set wrong and corrected ends nothing, and after a day of sleep there is time to poll before giving up.
 */
export class PassedMoments {
  readonly #clock: Clock;
  readonly #whileMs: number;
  /** Monotonic time of the first report, by id. */
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
