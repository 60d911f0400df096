import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { UsageRange } from "../../../../gateway/contract/usage.ts";
import { periodBetween, periodOf } from "../../../../gateway/core/usage/usage-period.ts";
import { addTotals, emptyTotals, usageCells, usageSeries } from "../../../../gateway/core/usage/usage-series.ts";
import type { Bucketed } from "../../../../gateway/core/usage/usage-series.ts";
import type { UsageSums } from "../../../../gateway/core/usage/usage-sums.ts";

const NOON = Date.UTC(2026, 2, 1, 12, 34, 56, 789);
const iso = (at: number): string => new Date(at).toISOString();

describe("periods", () => {
  test.each<[UsageRange, string, string, number]>([
    ["today", "2026-03-01T00:00:00.000Z", "2026-03-01T13:00:00.000Z", 13],
    ["24h", "2026-02-28T12:00:00.000Z", "2026-03-01T13:00:00.000Z", 25],
    ["7d", "2026-02-23T00:00:00.000Z", "2026-03-02T00:00:00.000Z", 7],
    ["30d", "2026-01-31T00:00:00.000Z", "2026-03-02T00:00:00.000Z", 30],
  ])("%s", (range, from, to, count) => {
    const period = periodOf(range, NOON);
    expect([iso(period.from), iso(period.to), period.buckets.length]).toEqual([from, to, count]);
    expect(period.buckets[0]).toBe(period.from);
  });

  test("today has one hour right after midnight", () => {
    expect(periodOf("today", Date.UTC(2026, 2, 1)).buckets).toEqual([Date.UTC(2026, 2, 1)]);
  });

  test("days between two hold both; none when they are the wrong way round", () => {
    const [first, last] = [Date.UTC(2024, 1, 28), Date.UTC(2024, 2, 1)];
    expect(periodBetween(first, last).buckets.map(iso)).toEqual([
      "2024-02-28T00:00:00.000Z",
      "2024-02-29T00:00:00.000Z",
      "2024-03-01T00:00:00.000Z",
    ]);
    expect(periodBetween(last, first).buckets).toEqual([]);
  });
});

const buckets = [100, 200, 300];

function sums(change: Partial<UsageSums>): UsageSums {
  return { key: "k", model: "m", client: "c", endpoint: "chat", ...emptyTotals(), ...change };
}

test("groups stand by spend, then requests, then sandbox requests, then name", () => {
  const rows = ["b", "a", "d", "e", "f"].map((model) => ({ at: 100, row: sums({ model }) }));
  const made = [...rows];
  made[2] = { at: 100, row: sums({ model: "d", nano: 1 }) };
  made[3] = { at: 200, row: sums({ model: "e", requests: 5 }) };
  made[4] = { at: 200, row: sums({ model: "f", sandbox_requests: 5 }) };
  const { groups, series } = usageSeries(made, buckets, "model", 2);
  expect(groups.map(({ group }) => group)).toEqual(["d", "e", "f", "a", "b"]);
  expect(series).toEqual([
    { group: "d", nano: [1, 0, 0], requests: [0, 0, 0] },
    { group: "e", nano: [0, 0, 0], requests: [0, 5, 0] },
    { group: null, nano: [0, 0, 0], requests: [0, 0, 0] },
  ]);
});

test("rows of earlier versions have no endpoint and no durations", () => {
  const { endpoint: _, ...old } = sums({ requests: 2 });
  const rows: Bucketed[] = [
    { at: 100, row: old },
    { at: 100, row: sums({ requests: 1, durations: { 80: 1 }, first_durations: {} }) },
  ];
  const { groups, latency } = usageSeries(rows, buckets, "endpoint", 5);
  expect(groups.map(({ group, totals }) => [group, totals.requests])).toEqual([
    ["", 2],
    ["chat", 1],
  ]);
  expect(latency).toEqual({ p50: 980.6, p95: 980.6, first_p50: null, first_p95: null });
});

const anyRow = fc.record({
  at: fc.constantFrom(0, 100, 200, 300, 400),
  row: fc
    .record({
      model: fc.constantFrom("a", "b", "c", "d", ""),
      client: fc.constantFrom("x", "y"),
      nano: fc.nat(1_000_000),
      requests: fc.nat(100),
      sandbox_nano: fc.nat(100),
    })
    .map(sums),
});

test("buckets add up to the total, and so do groups, the series with the others, and the cells", () => {
  fc.assert(
    fc.property(
      fc.array(anyRow, { maxLength: 60 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom("model" as const, "client" as const),
      (rows, shown, by) => {
        const made = usageSeries(rows, buckets, by, shown);
        const expected = emptyTotals();
        for (const { at, row } of rows) if (buckets.includes(at)) addTotals(expected, row);
        expect(made.total).toEqual(expected);
        for (const parts of [made.buckets, made.groups, usageCells(rows, buckets, by)]) {
          const sum = emptyTotals();
          for (const { totals } of parts) addTotals(sum, totals);
          expect(sum).toEqual(expected);
        }
        for (const [place, { totals }] of made.buckets.entries()) {
          expect(made.series.reduce((sum, { nano }) => sum + (nano[place] ?? 0), 0)).toBe(totals.nano);
          expect(made.series.reduce((sum, { requests }) => sum + (requests[place] ?? 0), 0)).toBe(totals.requests);
        }
        expect(made.series.filter(({ group }) => group === null).length).toBe(made.groups.length > shown ? 1 : 0);
      },
    ),
  );
});
