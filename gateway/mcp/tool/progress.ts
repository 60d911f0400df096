import type { Clock } from "../../lib/clock.ts";

/** How far a call is. `progress` may have any unit, `total` the same; without a total no one knows the end. */
export interface Step {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Steps closer together than this are left out, the last before the response too: they tell no one anything. */
const CLOSEST_MS = 250;

/**
 * Tells a caller how far its call is, if it asked. The protocol wants each figure larger than the one before: smaller
 * ones are left out.
 */
export class Progress {
  readonly #send: ((step: Step) => void) | null;
  readonly #clock: Clock;
  #last = -Infinity;
  #sentAt = -Infinity;

  /** @param send null when the caller did not ask for progress. */
  constructor(clock: Clock, send: ((step: Step) => void) | null) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Whether the client asked for progress; if not, no progress is computed. */
  get isRequested(): boolean {
    return this.#send !== null;
  }

  report(step: Step): void {
    if (this.#send === null || step.progress <= this.#last) return;
    const now = this.#clock.monotonic();
    if (now - this.#sentAt < CLOSEST_MS) return;
    this.#sentAt = now;
    this.#last = step.progress;
    this.#send(step);
  }
}
