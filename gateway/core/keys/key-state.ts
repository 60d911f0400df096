import type { Reset } from "../../contract/key.ts";
import { utcDay, utcMonth } from "../../lib/clock.ts";

/** The window that "requests per minute" is counted in. */
const WINDOW_MS = 60_000;

/**
 * Requests per minute of one key, as an exact sliding window: no 60 seconds have more than `limit` admitted requests,
 * and a request is admitted as soon as that allows. (A token bucket would admit twice as many after a quiet minute, and
 * fixed minutes twice as many around their border.) It stores the times of the last `limit` requests; only the oldest
 * decides, so the cost per request does not depend on the limit.
 *
 * Times are milliseconds of a clock that never goes back (`Clock.monotonic`).
 */
export class RequestWindow {
  #limit: number;
  /** Times of admitted requests, a ring buffer that grows to `#limit`; `#oldest` is the next slot. */
  #moments: number[] = [];
  #oldest = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns 0 if a request can be admitted, else the seconds (with fractions) until one can be. */
  wait(at: number): number {
    if (this.#moments.length < this.#limit) return 0;
    return Math.max(0, (this.#moments[this.#oldest] ?? 0) + WINDOW_MS - at) / 1_000;
  }

  /** Counts a request that was let in: `wait` was 0. */
  enter(at: number): void {
    if (this.#moments.length < this.#limit) {
      this.#moments.push(at);
      return;
    }
    this.#moments[this.#oldest] = at;
    this.#oldest = (this.#oldest + 1) % this.#limit;
  }

  /** Changes the limit; requests that were admitted before still count. */
  setLimit(limit: number): void {
    if (limit === this.#limit) return;
    const ordered = [...this.#moments.slice(this.#oldest), ...this.#moments.slice(0, this.#oldest)];
    this.#moments = ordered.slice(-limit);
    this.#oldest = 0;
    this.#limit = limit;
  }
}

/** Concurrent requests of one key. */
export class InFlight {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /**
   * Admits a request unless `limit` are already running (null: no limit).
   * @returns whether it was admitted; then `leave` must be called once, when it ends.
   */
  tryEnter(limit: number | null): boolean {
    if (limit !== null && this.#count >= limit) return false;
    this.#count += 1;
    return true;
  }

  leave(): void {
    this.#count -= 1;
  }
}

/** Fields of a local key that determine its state. Money in nano USD, times in Unix milliseconds. */
export interface KeyLimitsRecord {
  readonly disabled: boolean;
  readonly expires_at: number | null;
  readonly limit_nano: number | null;
  readonly reset: Reset;
}

/** The spend of one UTC day (`2026-11-22`) or month (`2026-11`). */
export interface PeriodSum {
  readonly period: string;
  readonly nano: number;
}

/** Running spend of one key: in total, and per day and month of its recent charges. */
export interface RunningSpend {
  readonly total_nano: number;
  readonly days: readonly PeriodSum[];
  readonly months: readonly PeriodSum[];
}

export type KeyState = "active" | "disabled" | "expired" | "spent";

/**
 * Returns the spend of the period of `reset` that contains `at`; 0 for a period without a charge. After a clock change
 * in either direction the spend is counted under the clock's date: no limit resets twice, and none stays used up for
 * longer than the date was wrong.
 */
export function spentInPeriod(spend: RunningSpend | undefined, reset: Reset, at: number): number {
  if (spend === undefined) return 0;
  if (reset === "daily") return computeSum(spend.days, utcDay(at));
  if (reset === "monthly") return computeSum(spend.months, utcMonth(at));
  return spend.total_nano;
}

/** The period that was used last comes last, and is usually the requested one. */
function computeSum(sums: readonly PeriodSum[], period: string): number {
  for (let at = sums.length - 1; at >= 0; at -= 1) {
    const sum = sums[at];
    if (sum?.period === period) return sum.nano;
  }
  return 0;
}

/** The first reason for which a key cannot pay for a call, the owner's own decision first. */
export function getKeyState(key: KeyLimitsRecord, spend: RunningSpend | undefined, at: number): KeyState {
  if (key.disabled) return "disabled";
  if (key.expires_at !== null && at >= key.expires_at) return "expired";
  if (key.limit_nano !== null && spentInPeriod(spend, key.reset, at) >= key.limit_nano) return "spent";
  return "active";
}

/** Returns when the next period starts, UTC; null for a limit that never resets. */
export function findNextReset(reset: Reset, at: number): number | null {
  if (reset === "never") return null;
  const date = new Date(at);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return reset === "daily" ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
}

/**
 * Returns when a limit is available again: the start of the next period, or of a later one if a wrong clock has already
 * used up the next one.
 * @returns UTC, Unix milliseconds; null for a limit that never resets
 */
export function startsAnew(
  { limit_nano: limit, reset }: Pick<KeyLimitsRecord, "limit_nano" | "reset">,
  spend: RunningSpend | undefined,
  at: number,
): number | null {
  return unspentFrom(limit, reset, (period) => spentInPeriod(spend, reset, period), at);
}

/** Returns when a limit can be spent again, given the spend in a moment's period. */
export function unspentFrom<R extends Reset>(
  limit: number | null,
  reset: R,
  spentAt: (moment: number) => number,
  at: number,
): number | (R extends "never" ? null : never);
export function unspentFrom(
  limit: number | null,
  reset: Reset,
  spentAt: (moment: number) => number,
  at: number,
): number | null {
  // A limit of 0 is spent in every period.
  const isSpent = (moment: number): boolean => limit !== null && limit > 0 && spentAt(moment) >= limit;
  let next = findNextReset(reset, at);
  while (next !== null && isSpent(next)) next = findNextReset(reset, next);
  return next;
}
