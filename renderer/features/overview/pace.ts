const DAY_MS = 86_400_000;

/** A UTC day of a month with what it cost. */
export interface SpentDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** 10⁻⁹ USD. */
  readonly nano: number;
}

/**
 * What the UTC month of `now` will have cost when it goes on as since the first day that cost something. Null while that
 * is less than a day: a morning says nothing about a month.
 * @param spent 10⁻⁹ USD, this month so far
 * @param days ascending; those of other months are passed over
 * @param now Unix milliseconds
 */
export function monthAtThisPace(spent: number, days: readonly SpentDay[], now: number): number | null {
  const month = new Date(now).toISOString().slice(0, 7);
  const first = days.find(({ day, nano }) => nano > 0 && day.startsWith(month));
  const from = first === undefined ? Number.NaN : Date.parse(`${first.day}T00:00:00Z`);
  const date = new Date(now);
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  const elapsed = now - from;
  // Not a day, when no day cost anything, is no day either.
  return elapsed >= DAY_MS ? Math.round((spent / elapsed) * (end - from)) : null;
}
