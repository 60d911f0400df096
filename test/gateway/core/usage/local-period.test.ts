import * as fc from "fast-check";
import { expect, test } from "vitest";
import { hoursOfToday, localDays, periodBefore } from "../../../../gateway/core/usage/local-period.ts";
import { MergedUsage } from "../../../../gateway/core/usage/merged-usage.ts";
import { DAY_MS, HOUR_MS, createPeriod } from "../../../../gateway/core/usage/usage-period.ts";
import { usageSeries } from "../../../../gateway/core/usage/usage-series.ts";
import { emptyTotals } from "../../../../gateway/core/usage/usage-totals.ts";
import { dayAfter, findDay, findFirstHour, isZone } from "../../../../gateway/lib/zone.ts";
import { sourceOf, type Bucketed } from "../../../support/usage-sources.ts";

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/Los_Angeles",
  "America/Havana",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
  "Pacific/Niue",
] as const;

test.each([
  ["Europe/Berlin", "2026-11-23", "2026-11-22T23:00Z"],
  ["Europe/Berlin", "2026-03-30", "2026-03-29T22:00Z"],
  ["America/Los_Angeles", "2026-11-02", "2026-11-02T08:00Z"],
  // No midnight that night: the clock went from 23:59 to 01:00.
  ["America/Havana", "2026-03-08", "2026-03-08T05:00Z"],
  ["Asia/Kolkata", "2026-11-23", "2026-11-22T19:00Z"],
  ["Asia/Kathmandu", "2026-11-23", "2026-11-22T19:00Z"],
  ["Pacific/Kiritimati", "2026-11-23", "2026-11-22T10:00Z"],
])("the first whole hour of a day in %s on %s is %s", (zone, day, at) => {
  expect(new Date(findFirstHour(zone, day)).toISOString()).toBe(at.replace("Z", ":00.000Z"));
});

test("every hour is of the day in which it begins, in every zone", () => {
  const at = fc.integer({ min: Date.UTC(2024, 0, 1) / HOUR_MS, max: Date.UTC(2028, 0, 1) / HOUR_MS });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), at, (zone, hour) => {
      const day = findDay(zone, hour * HOUR_MS);
      expect(findFirstHour(zone, day)).toBeLessThanOrEqual(hour * HOUR_MS);
      expect(findFirstHour(zone, dayAfter(day, 1))).toBeGreaterThan(hour * HOUR_MS);
    }),
  );
});

test("what is no zone is distinguished", () => {
  expect(["Europe/Berlin", "Mars/Olympus", ""].map(isZone)).toEqual([true, false, false]);
});

const NOW = Date.UTC(2026, 10, 23, 14, 30);
const row = (at: number, index: number, nano: number): Bucketed => {
  const model = `model-${index}`;
  const durations = { [20 + index]: 1 };
  return {
    at,
    row: { key: "k", model, client: "c", endpoint: "chat", ...emptyTotals(), requests: 1, nano, durations },
  };
};

test("days of a zone and the UTC days before them hold every hour once", () => {
  const used = fc.array(fc.record({ hour: fc.integer({ min: -1_200, max: 0 }), index: fc.nat(4), nano: fc.nat(999) }), {
    maxLength: 60,
  });
  const stored = fc.integer({ min: 60, max: 900 });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), used, stored, (zone, uses, hours) => {
      const now = Math.floor(NOW / HOUR_MS) * HOUR_MS;
      const today = findDay(zone, NOW);
      const period = localDays(zone, dayAfter(today, -29), today, now - hours * HOUR_MS)!;
      const all = uses.map(({ hour, index, nano }) => row(now + hour * HOUR_MS, index, nano));
      const byDay = all.map((one) => ({ ...one, at: Math.floor(one.at / DAY_MS) * DAY_MS }));
      const known = all.filter(({ at }) => at >= now - hours * HOUR_MS);
      const source = new MergedUsage({ day: sourceOf(byDay), hour: sourceOf(known) }, period, "model");
      const within = all.filter(({ at }) => at >= period.from && at < period.to);
      const { total, buckets, groups } = usageSeries(source, period.buckets, "model", 3);
      expect(total.nano).toBe(within.reduce((sum, one) => sum + one.row.nano, 0));
      expect(new Set(groups.map(({ group }) => group))).toEqual(new Set(within.map((one) => one.row.model)));
      for (const [place, { at, totals }] of buckets.entries()) {
        const end = period.buckets[place + 1] ?? period.to;
        const own = within.filter((one) => one.at >= at && one.at < end);
        expect(totals.requests).toBe(own.length);
        // A day of the zone, or, before the hours are known, of UTC.
        const day =
          at < (period.utcUntil ?? 0) ? new Date(at).toISOString().slice(0, 10) : findDay(zone, end - HOUR_MS);
        expect(day).toBe(dayAfter(today, place - 29));
      }
    }),
    { numRuns: 60 },
  );
});

test("days of which no hours are known are left to UTC", () => {
  expect(localDays("Asia/Tokyo", "2024-01-01", "2024-01-03", NOW - 40 * DAY_MS)).toBeNull();
});

test("today in a zone begins at its midnight, and yesterday is as long up to now", () => {
  const today = hoursOfToday("Europe/Berlin", "2026-11-23", NOW, 0);
  expect([today.buckets.length, today.from, today.to]).toEqual([
    16,
    Date.UTC(2026, 10, 22, 23),
    Date.UTC(2026, 10, 23, 15),
  ]);
  const yesterday = hoursOfToday("Europe/Berlin", "2026-11-23", NOW, 1);
  expect([yesterday.buckets.length, yesterday.from]).toEqual([16, Date.UTC(2026, 10, 21, 23)]);
});

test("the hours before are as many and end where these begin", () => {
  const hours = createPeriod("24h", NOW);
  const earlier = periodBefore(hours);
  expect([earlier.buckets.length, earlier.to]).toEqual([25, hours.from]);
});
