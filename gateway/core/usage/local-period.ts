import { dayAfter, findFirstHour } from "../../lib/zone.ts";
import { DAY_MS, HOUR_MS } from "./usage-period.ts";
import type { UsagePeriod } from "./usage-period.ts";

/** Part of a bucket: a UTC day or hour of receipts, or a UTC hour of agents' logs. */
export interface BucketPart {
  readonly unit: "day" | "hour" | "logs";
  readonly at: number;
}

export interface LocalPeriod extends UsagePeriod {
  /** The parts of each bucket, in the order of the buckets. */
  readonly parts: readonly (readonly BucketPart[])[];
  /** Buckets before this time are UTC days; null: all buckets are days of the time zone. */
  readonly utcUntil: number | null;
}

const utcStart = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/**
 * Returns the days of a zone in an inclusive range. A day is the sum of its hours. Days before the first known hour are
 * UTC days; the next day starts where they end, so that nothing is counted twice or omitted.
 * @param hoursFrom start of the known hours
 * @returns null if no such day has known hours
 */
export function localDays(zone: string, since: string, until: string, hoursFrom: number): LocalPeriod | null {
  const days: string[] = [];
  for (let day = since; day <= until; day = dayAfter(day, 1)) days.push(day);
  // The search starts at the last day, because most requests are for past days.
  let first = days.length;
  let begins = findFirstHour(zone, dayAfter(until, 1));
  const starts = new Map<number, number>([[first, begins]]);
  while (first > 0) {
    const day = days[first - 1] ?? since;
    begins = findFirstHour(zone, day);
    if (Math.min(begins, utcStart(day)) < hoursFrom) break;
    first -= 1;
    starts.set(first, begins);
  }
  if (first === days.length) return null;
  const seam = first > 0 ? utcStart(days[first] ?? since) : null;
  const buckets = days.map((day, place) => {
    if (place < first) return utcStart(day);
    return place === first && seam !== null ? seam : (starts.get(place) ?? 0);
  });
  const to = starts.get(days.length) ?? 0;
  const parts = buckets.map((at, place) =>
    place < first ? [{ unit: "day", at } as const] : hoursBetween("hour", at, buckets[place + 1] ?? to),
  );
  return { bucket: "day", buckets, from: buckets[0] ?? to, to, parts, utcUntil: seam };
}

/**
 * Returns today's hours in a zone up to the current one; with `days`, those of that many days earlier, up to the same
 * hour.
 */
export function hoursOfToday(zone: string, today: string, now: number, days: number): UsagePeriod {
  const count = Math.floor((now - findFirstHour(zone, today)) / HOUR_MS) + 1;
  const first = findFirstHour(zone, dayAfter(today, -days));
  const buckets = Array.from({ length: Math.max(1, count) }, (_, hour) => first + hour * HOUR_MS);
  return { bucket: "hour", buckets, from: first, to: (buckets.at(-1) ?? first) + HOUR_MS };
}

/** The hours of each bucket. */
export const listHours = (unit: BucketPart["unit"], { buckets, to }: UsagePeriod): BucketPart[][] =>
  buckets.map((at, place) => hoursBetween(unit, at, buckets[place + 1] ?? to));

function hoursBetween(unit: BucketPart["unit"], from: number, to: number): BucketPart[] {
  const hours: BucketPart[] = [];
  for (let at = from; at < to; at += HOUR_MS) hours.push({ unit, at });
  return hours;
}

/** Returns an earlier period, shifted by UTC days, or by the period's own number of hours. */
export function periodBefore({ bucket, buckets, from, to }: UsagePeriod): UsagePeriod {
  const step = bucket === "hour" ? HOUR_MS : DAY_MS;
  const back = buckets.length * step;
  return { bucket, buckets: buckets.map((at) => at - back), from: from - back, to: to - back };
}
