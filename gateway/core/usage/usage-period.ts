import type { UsageRange } from "../../contract/usage.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export interface UsagePeriod {
  readonly bucket: "hour" | "day";
  /** Beginnings of the buckets, ascending. */
  readonly buckets: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** The UTC hours or days of a range; the bucket of `now` is the last. */
export function createPeriod(range: Exclude<UsageRange, "90d" | "all">, now: number): UsagePeriod {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  const day = Math.floor(now / DAY_MS) * DAY_MS;
  switch (range) {
    case "today":
      return period("hour", day, hour);
    case "24h":
      return period("hour", hour - 24 * HOUR_MS, hour);
    case "7d":
      return period("day", day - 6 * DAY_MS, day);
    case "30d":
      return period("day", day - 29 * DAY_MS, day);
  }
}

/** All UTC days between two, both among them; none when the first comes after the last. */
export function periodBetween(since: number, until: number): UsagePeriod {
  return period("day", since, until);
}

function period(bucket: "hour" | "day", first: number, last: number): UsagePeriod {
  const step = bucket === "hour" ? HOUR_MS : DAY_MS;
  const buckets: number[] = [];
  for (let at = first; at <= last; at += step) buckets.push(at);
  return { bucket, buckets, from: first, to: last + step };
}
