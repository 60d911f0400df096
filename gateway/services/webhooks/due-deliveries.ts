import type { Clock } from "../../lib/clock.ts";
import type { Later } from "../../lib/later.ts";
import { FURTHEST_ATTEMPT_MS } from "../../core/webhooks/webhook-schedule.ts";
import { Scheduler } from "../scheduler.ts";

/** Identifies a delivery of a task, with its target. */
export interface DeliveryAddress {
  readonly task: string;
  /** `webhook-id`. */
  readonly id: string;
  readonly url: string;
}

/** A webhook that waits for its time. */
export interface DueDelivery extends DeliveryAddress {
  /** Attempts by schedule that its record had when it was planned. */
  readonly made: number;
}

interface Planned extends DueDelivery {
  /** Unix milliseconds. */
  at: number;
}

export interface DueDeliveriesDeps {
  readonly clock: Clock;
  readonly later: Later;
  readonly onDue: (due: DueDelivery) => void;
}

/** Later than this, and it was not for want of a moment: Postern slept or was not running. */
const LATE_MS = 30_000;
/** Min milliseconds over which overdue deliveries are spread (docs/webhooks.md#when-your-receiver-fails) … */
const SPREAD_MS = 10_000;
/** … and so that at most fifty per second start. */
const SPACE_MS = 20;

/** Schedule of webhook deliveries. Overdue ones are paced, so that a start or wake causes no burst. */
export class DueDeliveries {
  readonly #deps: DueDeliveriesDeps;
  readonly #planned = new Map<string, Planned>();
  readonly #scheduler: Scheduler<string>;
  /** Due in this very moment. */
  #due: string[] = [];

  constructor(deps: DueDeliveriesDeps) {
    this.#deps = deps;
    this.#scheduler = new Scheduler({
      clock: deps.clock,
      later: deps.later,
      onDue: (key) => {
        this.#due.push(key);
        if (this.#due.length === 1) queueMicrotask(() => this.#hand());
      },
    });
  }

  /**
   * Schedules `due` at `at` (Unix milliseconds), or reschedules it. Whether it is still pending is checked when it is
   * due.
   */
  set(due: DueDelivery, at: number): void {
    const key = getKey(due);
    // A delivery scheduled while the clock was ahead must not wait until that date.
    const soon = Math.min(at, this.#deps.clock.now() + FURTHEST_ATTEMPT_MS);
    this.#planned.set(key, { ...due, at: soon });
    this.#scheduler.set(key, soon);
  }

  /** Spreads everything that is due already. Call once, when all that an earlier run left is planned. */
  pace(): void {
    const now = this.#deps.clock.now();
    this.#spread([...this.#planned.values()].filter(({ at }) => at <= now));
  }

  check(): void {
    this.#scheduler.check();
  }

  stop(): void {
    this.#scheduler.stop();
    this.#planned.clear();
    this.#due = [];
  }

  #hand(): void {
    const due = this.#due.flatMap((key) => this.#planned.get(key) ?? []);
    this.#due = [];
    const now = this.#deps.clock.now();
    const late = new Set(due.filter(({ at }) => now - at > LATE_MS));
    if (late.size === 1) late.clear();
    this.#spread([...late]);
    for (const planned of due) {
      if (late.has(planned)) continue;
      this.#planned.delete(getKey(planned));
      this.#deps.onDue(planned);
    }
  }

  /** Starts the oldest now, and spaces the others. */
  #spread(late: readonly Planned[]): void {
    const now = this.#deps.clock.now();
    const step = Math.max(SPREAD_MS / Math.max(1, late.length), SPACE_MS);
    for (const [index, planned] of late.toSorted((a, b) => a.at - b.at).entries()) {
      planned.at = now + Math.round(index * step);
      this.#scheduler.set(getKey(planned), planned.at);
    }
  }
}

const getKey = ({ task, id }: DueDelivery): string => `${task} ${id}`;
