import type { Clock } from "../lib/clock.ts";
import type { Later } from "../lib/later.ts";
import type { Notices } from "./notices.ts";

/** Corrections by time servers are smaller, and leap seconds too. */
const JUMP_MS = 5 * 60_000;
const LOOK_MS = 60_000;
/** Milliseconds after a clock jump in which nothing is deleted by age, so that the user can correct the clock. */
const DOUBT_MS = 24 * 60 * 60_000;
/** Max milliseconds since the last call at a start; after a longer pause the clock is probably wrong. */
const YEAR_MS = 365 * 24 * 60 * 60_000;

export interface ClockWatchDeps {
  readonly clock: Clock;
  /** Milliseconds since the machine was started, including its sleep; it cannot be set. */
  readonly uptime: () => number;
  readonly later: Later;
  readonly notices: Pick<Notices, "add">;
}

/** Notices changes of the wall clock, and warns the owner of their effect on limits. */
export class ClockWatch {
  readonly #deps: ClockWatchDeps;
  #seen: { readonly wall: number; readonly uptime: number };
  /** Monotonic. */
  #jumpedAt = -Infinity;
  #cancel: (() => void) | null = null;

  constructor(deps: ClockWatchDeps) {
    this.#deps = deps;
    this.#seen = { wall: deps.clock.now(), uptime: deps.uptime() };
  }

  /** @param lastCall when the last call was charged before this start, Unix milliseconds; null when none was */
  start(lastCall: number | null): void {
    const { clock, notices } = this.#deps;
    const now = clock.now();
    if (lastCall !== null && (lastCall - now > JUMP_MS || now - lastCall > YEAR_MS)) {
      this.#jumpedAt = clock.monotonic();
      notices.add(
        "warning",
        `The clock of this machine says ${getDate(now)}, and Postern's last call was made at ${getDate(lastCall)}. ${CONSEQUENCE}`,
      );
    }
    this.#arm();
  }

  /** Whether the clock was set so lately that nothing is to be deleted for its age. */
  get doubtful(): boolean {
    this.check();
    return this.#deps.clock.monotonic() - this.#jumpedAt < DOUBT_MS;
  }

  check(): void {
    const { clock, uptime, notices } = this.#deps;
    const before = this.#seen;
    this.#seen = { wall: clock.now(), uptime: uptime() };
    const expected = before.wall + this.#seen.uptime - before.uptime;
    if (Math.abs(this.#seen.wall - expected) <= JUMP_MS) return;
    this.#jumpedAt = clock.monotonic();
    const way = this.#seen.wall > expected ? "forward" : "back";
    notices.add(
      "warning",
      `The clock of this machine was set ${way}, from ${getDate(expected)} to ${getDate(this.#seen.wall)}. ${CONSEQUENCE}`,
    );
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #arm(): void {
    this.#cancel = this.#deps.later(LOOK_MS, () => {
      this.check();
      this.#arm();
    });
  }
}

const CONSEQUENCE =
  "Daily and monthly limits go by the clock: what is spent counts to the date that it shows, and a date that was seen before goes on with what was spent then. If the date is wrong, set the clock right.";

/** Formats `2026-11-22 10:00 UTC`; a clock may show an invalid date. */
function getDate(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "no date" : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
