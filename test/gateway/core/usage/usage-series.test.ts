import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TimedKind, UsageGroup } from "../../../../gateway/contract/usage.ts";
import { periodBetween, createPeriod } from "../../../../gateway/core/usage/usage-period.ts";
import { addedUp, type UsageSource } from "../../../../gateway/core/usage/usage-columns.ts";
import { usageCells, usageSeries } from "../../../../gateway/core/usage/usage-series.ts";
import type { UsageSums } from "../../../../gateway/core/usage/usage-sums.ts";
import { addTotals, emptyTotals } from "../../../../gateway/core/usage/usage-totals.ts";
import { plainUsageSeries } from "../../../support/plain-usage-series.ts";
import { sourceOf, type Bucketed } from "../../../support/usage-sources.ts";

const NOON = Date.UTC(2026, 2, 1, 12, 34, 56, 789);
const iso = (at: number): string => new Date(at).toISOString();

describe("periods", () => {
  test.each<[Parameters<typeof createPeriod>[0], string, string, number]>([
    ["today", "2026-03-01T00:00:00.000Z", "2026-03-01T13:00:00.000Z", 13],
    ["24h", "2026-02-28T12:00:00.000Z", "2026-03-01T13:00:00.000Z", 25],
    ["7d", "2026-02-23T00:00:00.000Z", "2026-03-02T00:00:00.000Z", 7],
    ["30d", "2026-01-31T00:00:00.000Z", "2026-03-02T00:00:00.000Z", 30],
  ])("%s", (range, from, to, count) => {
    const period = createPeriod(range, NOON);
    expect([iso(period.from), iso(period.to), period.buckets.length]).toEqual([from, to, count]);
    expect(period.buckets[0]).toBe(period.from);
  });

  test("today has one hour right after midnight", () => {
    expect(createPeriod("today", Date.UTC(2026, 2, 1)).buckets).toEqual([Date.UTC(2026, 2, 1)]);
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
  const { groups, series } = usageSeries(sourceOf(made), buckets, "model", 2);
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
  const { groups, latency } = usageSeries(sourceOf(rows), buckets, "endpoint", 5);
  expect(groups.map(({ group, totals }) => [group, totals.requests])).toEqual([
    ["", 2],
    ["chat", 1],
  ]);
  expect(latency).toEqual({ p50: 980.6, p95: 980.6, first_p50: null, first_p95: null });
});

test("the latency of a period is that of its conversations, and of all requests without any", () => {
  const chat = { at: 100, row: sums({ requests: 1, durations: { 80: 1 } }) };
  const video = { at: 100, row: sums({ endpoint: "videos", requests: 9, durations: { 200: 9 } }) };
  const both = usageSeries(sourceOf([chat, video]), buckets, "endpoint", 5);
  expect([both.latency.p95, both.buckets[0]?.latency.p95]).toEqual([980.6, 980.6]);
  expect(both.groups.find(({ group }) => group === "videos")?.latency.p95).toBeGreaterThan(10_000);
  expect(usageSeries(sourceOf([video]), buckets, "endpoint", 5).latency.p95).toBeGreaterThan(10_000);
});

test("the latency of a kind is that of its calls alone, and only conversations have a first token", () => {
  const chat = { at: 100, row: sums({ requests: 1, durations: { 80: 1 }, first_durations: { 60: 1 } }) };
  const image = {
    at: 100,
    row: sums({ endpoint: "edits", requests: 1, durations: { 120: 1 }, first_durations: { 90: 1 } }),
  };
  const of = (timed: TimedKind) => usageSeries(sourceOf([chat, image]), buckets, "endpoint", 5, timed);
  const none = { p50: null, p95: null, first_p50: null, first_p95: null };
  expect(of("chat").latency).toEqual(usageSeries(sourceOf([chat]), buckets, "endpoint", 5).latency);
  expect(of("images").latency).toMatchObject({ first_p50: null, first_p95: null });
  expect(of("images").latency.p95).toBeGreaterThan(of("chat").latency.p95 ?? Infinity);
  expect(of("images").groups.find(({ group }) => group === "chat")?.latency).toEqual(none);
  expect(of("videos").latency).toEqual(none);
});

const durations = fc.dictionary(fc.nat(224).map(String), fc.integer({ min: 1, max: 40 }), { maxKeys: 4 });
const anyRow = fc.record({
  at: fc.constantFrom(0, 100, 200, 300, 400),
  row: fc
    .record(
      {
        key: fc.constantFrom("k", "l"),
        model: fc.constantFrom("a", "b", "c", "d", ""),
        client: fc.constantFrom("x", "y"),
        endpoint: fc.constantFrom("chat", "images"),
        nano: fc.nat(1_000_000_000_000),
        requests: fc.nat(100),
        errors: fc.nat(10),
        input_tokens: fc.nat(1_000_000),
        sandbox_requests: fc.nat(3),
        sandbox_nano: fc.nat(100),
        cache_saved_nano: fc.integer({ min: -1_000, max: 1_000 }),
        durations,
        first_durations: durations,
      },
      { requiredKeys: ["key", "model", "client", "nano", "requests"] },
    )
    .map((change): UsageSums => {
      const { endpoint: _, ...row } = sums(change);
      return change.endpoint === undefined ? row : { ...row, endpoint: change.endpoint };
    }),
});
const anyGroup = fc.constantFrom<UsageGroup>("model", "key", "client", "endpoint");

test("any rows give what going through all of them for each figure gives", () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 60 }), fc.integer({ min: 1, max: 6 }), anyGroup, (rows, shown, by) => {
      const [source, plain] = [sourceOf(rows), plainUsageSeries(rows, buckets, by, shown)];
      expect(usageSeries(source, buckets, by, shown)).toEqual(plain);
      const at: UsageSource["at"] = (begins, group) => {
        const columns = source.at(begins, group);
        return columns === undefined ? undefined : addedUp(columns, group);
      };
      expect(usageSeries({ names: source.names, at }, buckets, by, shown)).toEqual(plain);
    }),
  );
});

test("of more groups than are listed the most expensive are, and the others are in the totals", () => {
  const rows = Array.from({ length: 700 }, (_, index) => ({
    at: buckets[index % 3] ?? 0,
    row: sums({ model: `m${index}`, nano: (index * 7_919) % 701, requests: 1, durations: { [index % 225]: 1 } }),
  }));
  const made = usageSeries(sourceOf(rows), buckets, "model", 8);
  expect(made).toEqual(plainUsageSeries(rows, buckets, "model", 8));
  expect([made.groups.length, made.more_groups]).toEqual([500, 200]);
});

test("cells add up to the total, and stand by time and name", () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 60 }), anyGroup, (rows, by) => {
      const cells = usageCells(sourceOf(rows), buckets, by);
      const [sum, expected] = [emptyTotals(), emptyTotals()];
      for (const { totals } of cells) addTotals(sum, totals);
      for (const { at, row } of rows) if (buckets.includes(at)) addTotals(expected, row);
      expect(sum).toEqual(expected);
      const places = cells.map(({ at, group }) => `${at} ${group}`);
      expect(places).toEqual([...new Set(places)].toSorted());
    }),
  );
});
