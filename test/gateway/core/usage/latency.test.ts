import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  addCounts,
  countDuration,
  toCounts,
  DURATION_BUCKETS,
  durationBucket,
  percentile,
} from "../../../../gateway/core/usage/durations.ts";
import type { Durations } from "../../../../gateway/core/usage/durations.ts";

const DAY_MS = 86_400_000;

function counted(all: readonly number[]): Durations {
  const durations: Durations = {};
  for (const ms of all) countDuration(durations, ms);
  return durations;
}

test.each([
  [[], 0.5, null],
  [[0], 0.5, 1],
  [[0.4, 0.9, 1], 0.95, 1],
  [[Number.NaN, Number.POSITIVE_INFINITY], 0.5, null],
])("of %j the share %d is %s", (all, share, expected) => {
  expect(percentile(counted(all), share)).toBe(expected);
});

test("a bucket holds what is above the one before, and the longest have one together", () => {
  expect([1, 1.0001, 1.09, 1.1, 2, 2.0001].map(durationBucket)).toEqual([0, 1, 1, 2, 8, 9]);
  expect(durationBucket(30 * DAY_MS)).toBe(durationBucket(300 * DAY_MS));
});

test("a percentile is right to within 5 %", () => {
  const duration = fc.double({ min: 1.1, max: 2 * DAY_MS, noNaN: true });
  fc.assert(
    fc.property(fc.array(duration, { minLength: 1, maxLength: 60 }), fc.constantFrom(0.5, 0.95), (all, share) => {
      const exact = all.toSorted((a, b) => a - b)[Math.ceil(all.length * share) - 1] ?? 0;
      const found = percentile(counted(all), share) ?? 0;
      // Tenths of a millisecond are all that is reported.
      expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * 0.05 + 0.06);
    }),
  );
});

test("adding up counts gives what counting all at once gives", () => {
  const durations = fc.array(fc.nat(10_000), { maxLength: 30 });
  fc.assert(
    fc.property(durations, durations, (one, other) => {
      const rows = toCounts([{}, counted(one), {}, counted(other)]);
      const sum = new Float64Array(DURATION_BUCKETS);
      for (const index of [0, 1, 2, 3]) addCounts(sum, 0, rows, index);
      const all = counted([...one, ...other]);
      expect(sum.reduce((total, count) => total + count, 0)).toBe(one.length + other.length);
      for (const share of [0.1, 0.5, 0.95]) expect(percentile(sum, share)).toBe(percentile(all, share));
    }),
  );
});

test("what a foreign line says about buckets that do not exist is passed over", () => {
  const rows = toCounts([{ 3: 2, 225: 9, [-1]: 9, 1.5: 9, ...JSON.parse('{"x":9}') }]);
  const sum = new Float64Array(2 * DURATION_BUCKETS);
  addCounts(sum, DURATION_BUCKETS, rows, 0);
  expect(sum.reduce((total, count) => total + count, 0)).toBe(2);
  expect(sum[DURATION_BUCKETS + 3]).toBe(2);
});
