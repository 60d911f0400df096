import { expect, it } from "vitest";
import type { Totals } from "../../../../gateway/contract/totals.ts";
import type { UsageSeries } from "../../../../gateway/contract/usage.ts";
import { emptyTotals } from "../../../../gateway/core/usage/usage-totals.ts";
import { getStart } from "../../../../renderer/features/overview/overview-address.ts";
import {
  getBars,
  getFigure,
  groupOfSeries,
  getTop,
  getTraffic,
} from "../../../../renderer/features/overview/traffic.ts";

const HOUR_MS = 3_600_000;
const latency = { p50: null, p95: null, first_p50: null, first_p95: null };

function usageOf(series: UsageSeries["series"]): UsageSeries {
  const count = series[0]?.nano.length ?? 0;
  const buckets = Array.from({ length: count }, (_, place) => {
    const totals: Totals = emptyTotals();
    for (const { nano, requests } of series) {
      totals.nano += nano[place] ?? 0;
      totals.requests += requests[place] ?? 0;
    }
    return { at: place * HOUR_MS, totals, latency };
  });
  const total = emptyTotals();
  for (const { totals } of buckets) {
    total.nano += totals.nano;
    total.requests += totals.requests;
  }
  return {
    bucket: "hour",
    from: 0,
    to: count * HOUR_MS,
    utc_until: null,
    rebuilding: null,
    total,
    latency,
    buckets,
    groups: [],
    more_groups: 0,
    series,
  };
}

const usage = usageOf([
  { group: "earlier", nano: [90, 0, 1, 0], requests: [9, 0, 1, 0] },
  { group: "later", nano: [0, 0, 20, 30], requests: [0, 0, 2, 3] },
  { group: null, nano: [0, 1, 0, 2], requests: [0, 1, 0, 2] },
]);

it("counts groups and bars from the same buckets as the total", () => {
  const traffic = getTraffic(usage);
  expect(traffic.groups.map(({ group, nano, requests }) => [group, nano, requests])).toEqual([
    ["earlier", 91, 10],
    ["later", 50, 5],
    [null, 3, 3],
  ]);
  const bars = getBars(traffic, "nano", String, "Others");
  const drawn = bars.flatMap(({ values }) => values).reduce<number>((sum, value) => sum + (value ?? 0), 0);
  expect(drawn).toBe(traffic.total.nano);
  expect(bars.map(({ id }) => groupOfSeries(id))).toEqual(["earlier", "later", null]);
  expect(bars.at(-1)).toEqual({ id: "rest", label: "Others", values: [0, 1, 0, 2], rest: true });
});

it("begins a range at a local midnight", () => {
  const now = new Date(2026, 10, 3, 14, 30).getTime();
  expect(getStart("today", now)).toBe(new Date(2026, 10, 3).getTime());
  expect(getStart("7d", now)).toBe(new Date(2026, 9, 28).getTime());
  expect(getStart("30d", now)).toBe(new Date(2026, 9, 5).getTime());
});

it("draws no more groups than have a colour, and all others as one", () => {
  const many = getTraffic(
    usageOf(Array.from({ length: 8 }, (_, n) => ({ group: `m${n}`, nano: [n + 1], requests: [1] }))),
  );
  const bars = getBars(many, "nano", String, "Others");
  expect(bars.map(({ label, values }) => [label, values[0]])).toEqual([
    ["m7", 8],
    ["m6", 7],
    ["m5", 6],
    ["m4", 5],
    ["m3", 4],
    ["Others", 6],
  ]);
  expect(getTop(many.groups, "requests")).toHaveLength(5);
});

it("counts requests where nothing has a price, unless something was chosen", () => {
  const free = getTraffic(usageOf([{ group: "local", nano: [0], requests: [4] }]));
  expect(getFigure(free, null)).toBe("requests");
  expect(getFigure(free, "nano")).toBe("nano");
  expect(getFigure(getTraffic(usage), null)).toBe("nano");
  expect(getFigure(getTraffic(usageOf([])), null)).toBe("nano");
});
