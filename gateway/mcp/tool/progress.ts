import type { Clock } from "../../lib/clock.ts";

/** Progress of a call. `progress` and `total` have the same arbitrary unit; without a total the end is unknown. */
export interface Step {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Min milliseconds between progress messages; closer ones are dropped, also right before the response. */
const CLOSEST_MS = 250;

/**
 * Reports a call's progress to its caller, if requested. The protocol requires increasing values: others are dropped.
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
