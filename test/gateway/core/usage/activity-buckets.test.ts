import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ActivityBuckets, bucketLength, MOST_BUCKETS } from "../../../../gateway/core/usage/activity-buckets.ts";
import { durationBucket } from "../../../../gateway/core/usage/durations.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 10, 20, 12);

describe("the length of a bucket", () => {
  test.each([
    [30_000, 1_000],
    [HOUR, MINUTE],
    [DAY, 30 * MINUTE],
    [7 * DAY, 3 * HOUR],
    [30 * DAY, 12 * HOUR],
    [59 * DAY, DAY],
    [365 * DAY, 7 * DAY],
  ])("of %d ms is %d", (window, length) => {
    expect(bucketLength(NOON - window, NOON)).toBe(length);
  });

  test("is a few more than needed where the window lies across them", () => {
    expect(bucketLength(NOON - HOUR - 1, NOON)).toBe(2 * MINUTE);
  });

  test("never makes more than 60 of any window", () => {
    const moment = fc.integer({ min: 0, max: 8.64e15 });
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const buckets = new ActivityBuckets(Math.min(a, b), Math.max(a, b)).list();
        expect(buckets.length).toBeLessThanOrEqual(MOST_BUCKETS);
      }),
    );
  });
});

test("each request is in the bucket of its moment, and empty ones are there", () => {
  const request = fc.record({
    at: fc.integer({ min: NOON - HOUR, max: NOON - 1 }),
    failed: fc.boolean(),
    nano: fc.integer({ min: 0, max: 1_000_000 }),
    ms: fc.option(fc.integer({ min: 10, max: 100_000 }), { nil: null }),
  });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 40 }), (requests) => {
      const activity = new ActivityBuckets(NOON - HOUR, NOON);
      for (const { at, failed, nano, ms } of requests)
        activity.add([
          Math.floor((at - activity.from) / activity.length),
          ms === null ? null : durationBucket(ms),
          1,
          failed ? 1 : 0,
          nano,
        ]);
      const buckets = activity.list();
      expect(buckets.map(({ at }) => at)).toEqual(Array.from({ length: 60 }, (_, i) => NOON - HOUR + i * MINUTE));
      for (const { at, count, failed, cost_nano, p50_ms, p95_ms } of buckets) {
        const within = requests.filter((each) => each.at >= at && each.at < at + MINUTE);
        expect(count).toBe(within.length);
        expect(failed).toBe(within.filter((each) => each.failed).length);
        expect(cost_nano).toBe(within.reduce((sum, { nano }) => sum + nano, 0));
        const timed = within.flatMap(({ ms }) => ms ?? []).toSorted((a, b) => a - b);
        expectAbout(p50_ms, timed[Math.ceil(timed.length * 0.5) - 1]);
        expectAbout(p95_ms, timed[Math.ceil(timed.length * 0.95) - 1]);
      }
    }),
  );
});

/** To within 5 %. */
function expectAbout(found: number | null, exact: number | undefined): void {
  if (exact === undefined) expect(found).toBeNull();
  else expect(Math.abs((found ?? 0) / exact - 1)).toBeLessThan(0.05);
}

test("what lies outside is passed over", () => {
  const activity = new ActivityBuckets(NOON - HOUR, NOON);
  for (const bucket of [-1, 60, 59]) activity.add([bucket, null, 1, 0, 5]);
  expect(activity.list().filter(({ count }) => count > 0)).toEqual([
    { at: NOON - MINUTE, count: 1, failed: 0, cost_nano: 5, p50_ms: null, p95_ms: null },
  ]);
});
