import type { Clock } from "../lib/clock.ts";
import type { Later } from "../lib/later.ts";

interface Entry {
  /** Unix milliseconds. */
  readonly wall: number;
  /** Monotonic milliseconds. */
  readonly monotonic: number;
}

export interface SchedulerDeps<K> {
  readonly clock: Clock;
  readonly later: Later;
  /** Called once for each entry that is due, after it was taken off. Must not throw. */
  readonly onDue: (key: K) => void;
}

/** Max milliseconds between checks of the clocks, so that wake from sleep is noticed without an event. */
const LOOK_MS = 10_000;

/**
 * Schedules work for entries whose times are stored as wall-clock times. An entry is due when either clock says so: the
 * monotonic clock stops during sleep, and the wall clock may be set back.
 */
export class Scheduler<K> {
  readonly #deps: SchedulerDeps<K>;
  readonly #entries = new Map<K, Entry>();
  #cancel: (() => void) | null = null;
  /** Monotonic moment of the timer that runs. */
  #armedFor = Infinity;
  #stopped = false;

  constructor(deps: SchedulerDeps<K>) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Schedules or reschedules `key`. @param at Unix milliseconds; past times are due immediately */
  set(key: K, at: number): void {
    if (this.#stopped) return;
    const { clock } = this.#deps;
    const now = clock.monotonic();
    const entry = { wall: at, monotonic: now + Math.max(0, at - clock.now()) };
    this.#entries.set(key, entry);
    if (entry.monotonic < this.#armedFor) this.#arm(now);
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  /** Called after the machine slept: overdue work runs now. */
  check(): void {
    if (this.#stopped) return;
    const { clock, onDue } = this.#deps;
    const wall = clock.now();
    const monotonic = clock.monotonic();
    const due = [...this.#entries].filter(([, entry]) => entry.wall <= wall || entry.monotonic <= monotonic);
    for (const [key, entry] of due.toSorted(([, a], [, b]) => a.wall - b.wall)) {
      // The work for one entry may have moved another.
      if (this.#entries.get(key) !== entry) continue;
      this.#entries.delete(key);
      onDue(key);
    }
    this.#arm(clock.monotonic());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#cancel = null;
    this.#entries.clear();
  }

  #arm(now: number): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#armedFor = Infinity;
    if (this.#stopped || this.#entries.size === 0) return;
    let first = now + LOOK_MS;
    for (const { monotonic } of this.#entries.values()) first = Math.min(first, monotonic);
    this.#armedFor = first;
    this.#cancel = this.#deps.later(Math.max(0, Math.ceil(first - now)), () => this.check());
  }
}
