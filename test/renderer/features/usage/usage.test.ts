import { describe, expect, test } from "vitest";
import type { UsageSeries } from "../../../../gateway/contract/usage.ts";
import { emptyTotals } from "../../../../gateway/core/usage/usage-totals.ts";
import { groupName } from "../../../../renderer/features/usage/usage-page.tsx";
import { sortGroups, type UsageRow } from "../../../../renderer/features/usage/sort-groups.ts";
import {
  daysBetween,
  nextSorting,
  periodOf,
  queryOf,
  requestsPeriod,
  sortingOf,
} from "../../../../renderer/features/usage/usage-address.ts";
import { usageCsvRows } from "../../../../renderer/features/usage/usage-csv.ts";
import { budgetPerDay, latencyPlot, spendPlot, tokenPlot } from "../../../../renderer/features/usage/usage-models.ts";
import { en } from "../../../../renderer/locales/en.ts";

const noLatency = { p50: null, p95: null, first_p50: null, first_p95: null };
const params = (text: string): URLSearchParams => new URLSearchParams(text);

describe("the address", () => {
  test.each([
    ["", { range: "30d" }],
    ["range=today", { range: "today" }],
    ["range=year", { range: "30d" }],
    ["from=2026-11-01&to=2026-11-02", { since: "2026-11-01", until: "2026-11-02" }],
    ["range=7d&from=2026-11-03&to=2026-11-02", { range: "7d" }],
    ["from=2026-02-30&to=2026-03-02", { range: "30d" }],
    ["from=2020-01-01&to=2026-03-02", { range: "30d" }],
  ])("%j asks for %j", (text, period) => {
    expect(periodOf(params(text))).toEqual(period);
    expect(queryOf(params(`${text}&by=client`))).toEqual({ ...period, by: "client" });
  });

  test("what is misspelt is passed over", () => {
    expect(queryOf(params("by=colour"))).toEqual({ range: "30d", by: "model" });
    expect(sortingOf(params("sort=colour&order=up"))).toEqual({ by: "spend", order: "desc" });
  });

  test("days are counted with both ends", () => {
    expect(daysBetween("2024-02-28", "2024-03-01")).toBe(3);
    expect(daysBetween("2024-03-01", "2024-03-01")).toBe(1);
  });

  test("a second press on a heading turns the order, and the usual one is not in the address", () => {
    expect(nextSorting(params(""), "spend")).toEqual({ sort: null, order: "asc" });
    expect(nextSorting(params("order=asc"), "spend")).toEqual({ sort: null, order: null });
    expect(nextSorting(params(""), "p95")).toEqual({ sort: "p95", order: null });
  });

  test("requests are asked for by the range, or by the days that hold it", () => {
    const at = { from: new Date(2026, 10, 1, 1).getTime(), to: new Date(2026, 10, 3).getTime() };
    expect(requestsPeriod({ range: "7d" }, at)).toEqual({ range: "7d" });
    expect(requestsPeriod({ range: "today" }, at)).toEqual({ from: "2026-11-01", to: "2026-11-02" });
  });
});

const usage: UsageSeries = {
  bucket: "day",
  from: Date.UTC(2026, 10, 1),
  to: Date.UTC(2026, 10, 3),
  whole_from: null,
  total: { ...emptyTotals(), nano: 60, requests: 6, input_tokens: 100, cached_input_tokens: 40, output_tokens: 7 },
  latency: { ...noLatency, p50: 5, p95: 9 },
  buckets: [
    {
      at: Date.UTC(2026, 10, 1),
      totals: { ...emptyTotals(), nano: 60, input_tokens: 100, cached_input_tokens: 40, output_tokens: 7 },
      latency: { ...noLatency, p50: 5, p95: 9 },
    },
    { at: Date.UTC(2026, 10, 2), totals: emptyTotals(), latency: noLatency },
  ],
  groups: [],
  more_groups: 0,
  series: [
    { group: "a", nano: [50, 0], requests: [3, 0] },
    { group: "free", nano: [0, 0], requests: [2, 0] },
    { group: null, nano: [10, 0], requests: [1, 0] },
  ],
};

describe("plots", () => {
  test("spend leaves out what cost nothing, and draws the budget's share of a day", () => {
    const { model, whole } = spendPlot(usage, "nano", (group) => group, 3_000, en);
    expect(model.series.map(({ label, rest }) => [label, rest])).toEqual([
      ["a", false],
      ["Others", true],
    ]);
    expect(whole).toEqual([50, 10, 60]);
    expect(model.reference?.value).toBe(100);
    expect(spendPlot(usage, "requests", (group) => group, 3_000, en).model).toMatchObject({
      series: [{ id: "g a" }, { id: "g free" }, { id: "rest" }],
    });
    expect(spendPlot({ ...usage, bucket: "hour" }, "nano", String, 3_000, en).model.reference).toBeUndefined();
  });

  test("a budget is shared by the days of the month that the period ends in", () => {
    expect(budgetPerDay(2_900, Date.UTC(2024, 2, 1))).toBe(100);
    expect(budgetPerDay(3_100, Date.UTC(2024, 2, 2))).toBe(100);
  });

  test("tokens are told apart without counting any twice", () => {
    const { model, whole } = tokenPlot(usage, en);
    expect(model.series.map(({ values }) => values[0])).toEqual([60, 40, 7]);
    expect(whole).toEqual([60, 40, 7, 107]);
  });

  test("what was not measured has no time", () => {
    expect(latencyPlot(usage, "whole", en).model.series.map(({ values }) => values)).toEqual([
      [5, null],
      [9, null],
    ]);
    expect(latencyPlot(usage, "first", en).whole).toEqual([null, null]);
  });
});

const row = (group: string, nano: number, p50: number | null = null): UsageRow => ({
  group,
  totals: { ...emptyTotals(), nano },
  latency: { ...noLatency, p50 },
});

test("groups are sorted by any column; what was not measured stands last either way", () => {
  const rows = [row("b", 1, 3), row("a", 2), row("c", 3, 1)];
  const order = (...by: [Parameters<typeof sortGroups>[1], "asc" | "desc"]): string =>
    sortGroups(rows, ...by, (group) => group)
      .map(({ group }) => group)
      .join("");
  expect([order("spend", "desc"), order("spend", "asc")]).toEqual(["cab", "bac"]);
  expect([order("p50", "desc"), order("p50", "asc")]).toEqual(["bca", "cba"]);
  expect([order("name", "desc"), order("name", "asc")]).toEqual(["abc", "cba"]);
});

test("input is sorted as it is shown, without what was cached", () => {
  const uncached = (group: string, input: number, cached: number): UsageRow => ({
    ...row(group, 0),
    totals: { ...emptyTotals(), input_tokens: input, cached_input_tokens: cached },
  });
  const rows = [uncached("mostly cached", 100, 99), uncached("new", 50, 0)];
  expect(sortGroups(rows, "input", "desc", String).map(({ group }) => group)).toEqual(["new", "mostly cached"]);
});

test("groups without a name are said in words, keys by their names", () => {
  const keyName = (id: string): string => (id === "key_1" ? "Laptop" : id);
  expect(groupName("key", "key_1", keyName, en)).toBe("Laptop");
  expect(groupName("endpoint", "", keyName, en)).toBe("Not noted then");
  expect(groupName("endpoint", "messages", keyName, en)).toBe("Messages");
  expect(groupName("endpoint", "constructor", keyName, en)).toBe("constructor");
  expect(groupName("model", "=1+1", keyName, en)).toBe("=1+1");
});

test("the export has a row for each bucket of each group, with every digit", () => {
  const known = { ...emptyTotals(), nano: 42, requests: 1 };
  const totals = { ...known, unknown_requests: 1, estimated_requests: 1, estimated_nano: 42 };
  const cell = { at: Date.UTC(2026, 10, 1, 5), group: "key_1", totals };
  const [heads, line] = usageCsvRows({ bucket: "hour", data: [cell] }, "key", () => "=Laptop");
  expect(heads?.slice(0, 4)).toEqual(["time_utc", "key", "key_name", "requests"]);
  expect(line).toEqual([
    "2026-11-01T05:00:00.000Z",
    "key_1",
    "=Laptop",
    "1",
    "0",
    "0",
    "0",
    "0",
    "0",
    "0",
    "0.000000042",
    "0",
    "1",
    "1",
    "0.000000042",
    "0",
    "0.000000000",
  ]);
});
