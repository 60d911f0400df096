import { describe, expect, test } from "vitest";
import type { UsageSeries } from "../../../../gateway/contract/usage.ts";
import { emptyTotals } from "../../../../gateway/core/usage/usage-totals.ts";
import { changeInWords, getChange } from "../../../../renderer/features/usage/change.tsx";
import { rowAsJson } from "../../../../renderer/features/usage/group-menu.tsx";
import { findDay, momentWords } from "../../../../renderer/lib/moment-words.ts";
import { groupName } from "../../../../renderer/features/usage/usage-page.tsx";
import { sortGroups, type UsageRow } from "../../../../renderer/features/usage/sort-groups.ts";
import {
  daysBetween,
  nextSorting,
  getPeriod,
  getQuery,
  priceHash,
  getRequests,
  getSorting,
  getTrends,
} from "../../../../renderer/features/usage/usage-address.ts";
import { usageCsvRows } from "../../../../renderer/features/usage/usage-csv.ts";
import { getShown } from "../../../../renderer/features/usage/usage-plots.tsx";
import {
  budgetPerDay,
  isToday,
  latencyPlot,
  spendPlot,
  tokenPlot,
} from "../../../../renderer/features/usage/usage-models.ts";
import { en } from "../../../../renderer/locales/en.ts";

const noLatency = { p50: null, p95: null, first_p50: null, first_p95: null };
const params = (text: string): URLSearchParams => new URLSearchParams(text);

describe("the address", () => {
  test.each([
    ["", { range: "30d" }],
    ["range=today", { range: "today" }],
    ["range=year", { range: "30d" }],
    ["range=90d", { range: "90d" }],
    ["range=all", { range: "all" }],
    ["from=2026-11-01&to=2026-11-02", { since: "2026-11-01", until: "2026-11-02" }],
    ["range=7d&from=2026-11-03&to=2026-11-02", { range: "7d" }],
    ["from=2026-02-30&to=2026-03-02", { range: "30d" }],
    ["from=2020-01-01&to=2026-03-02", { range: "30d" }],
  ])("%j asks for %j", (text, period) => {
    expect(getPeriod(params(text))).toEqual(period);
    expect(getQuery(params(`${text}&by=client`), "UTC")).toEqual({ ...period, by: "client" });
    const own = getQuery(params(`${text}&by=client`), "Asia/Tokyo");
    expect(own).toEqual({ ...period, by: "client", zone: "Asia/Tokyo" });
    expect(getQuery(params(`${text}&by=client&tz=utc`), "Asia/Tokyo")).toEqual({ ...period, by: "client" });
  });

  test("what is misspelt is passed over", () => {
    expect(getQuery(params("by=colour"), "UTC")).toEqual({ range: "30d", by: "model" });
    expect(getSorting(params("sort=colour&order=up"))).toEqual({ by: "spend", order: "desc" });
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

  test("requests are asked for by the moments of the time; groups without a name are no filter", () => {
    const span = { since: 1, until: 9 };
    const requestsOf = (address: string, group: string) => getRequests(params(address))?.(group, span);
    expect(requestsOf("", "gpt-5")).toEqual({ model: "gpt-5", since: "1", until: "9" });
    expect(requestsOf("by=key", "")).toEqual({ since: "1", until: "9" });
    expect(requestsOf("by=model&client=curl", "gpt-5")).toEqual({
      client: "curl",
      model: "gpt-5",
      since: "1",
      until: "9",
    });
    expect(requestsOf("source=both", "gpt-5")).toBeUndefined();
    expect(priceHash("a/b c")).toBe("#/models?model=a%2Fb+c&price");
  });

  test("groups come with their figures over time unless these are years", () => {
    expect(getTrends({ range: "30d" })).toBe(40);
    expect(getTrends({ range: "all" })).toBeUndefined();
    expect(getTrends({ since: "2026-11-01", until: "2026-11-30" })).toBe(40);
    expect(getTrends({ since: "2024-11-01", until: "2026-11-01" })).toBeUndefined();
  });
});

const usage: UsageSeries = {
  bucket: "day",
  from: Date.UTC(2026, 10, 1),
  to: Date.UTC(2026, 10, 3),
  utc_until: null,
  rebuilding: null,
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

  test("more groups than have colours are one series", () => {
    const series = Array.from({ length: 12 }, (_, at) => ({ group: `g${at}`, nano: [1, at], requests: [1, 0] }));
    const { model } = spendPlot(
      { ...usage, series: [...series, { group: null, nano: [5, 0], requests: [1, 0] }] },
      "nano",
      String,
      null,
      en,
    );
    expect(model.series).toHaveLength(9);
    expect(model.series.at(-1)).toMatchObject({ label: "Others", rest: true, values: [9, 8 + 9 + 10 + 11] });
  });

  test("a budget is shared by the days of the month that the period ends in", () => {
    expect(budgetPerDay(2_900, Date.UTC(2024, 2, 1))).toBe(100);
    expect(budgetPerDay(3_100, Date.UTC(2024, 2, 2))).toBe(100);
  });

  test("tokens are reported apart without counting any twice", () => {
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

test.each([
  [112, 100, "▲ 12%"],
  [88, 100, "▼ 12%"],
  [1_000, 999, "= 0%"],
  [5, 0, "new"],
  [0, 5, "▼ 100%"],
  [5_000, 100, "▲ 50×"],
  [0, 0, ""],
  [null, 5, ""],
  [5, null, ""],
])("from what was before, %s after %s is %j", (now, before, words) => {
  expect(changeInWords(getChange(now, before), "new")).toBe(words);
});

test("the hours are shown where only today has data", () => {
  const today = {
    ...usage,
    buckets: usage.buckets.toReversed().map((one, at) => (at === 0 ? one : { ...one, totals: usage.total })),
  };
  expect(isToday(today, usage.to - 1)).toBe(true);
  expect(isToday(today, usage.to)).toBe(false);
  expect(isToday(usage, usage.to - 1)).toBe(false);
});

test("spend is shown unless nothing that was used has a price, or the address says so", () => {
  const unpriced = { ...usage, total: { ...usage.total, nano: 0, unpriced_requests: 6 } };
  expect(getShown(params(""), usage)).toBe("nano");
  expect(getShown(params(""), unpriced)).toBe("requests");
  expect(getShown(params("show=spend"), unpriced)).toBe("nano");
  expect(getShown(params("show=requests"), usage)).toBe("requests");
});

describe("moments", () => {
  test("are written in the zone, days in UTC before the zone's own", () => {
    const utcUntil = Date.UTC(2026, 10, 1);
    const words = momentWords("America/Los_Angeles", "en", utcUntil);
    expect(words.day(Date.UTC(2026, 9, 31))).toBe("Oct 31, 2026");
    expect(words.day(utcUntil)).toBe("Nov 1, 2026");
    expect(words.day(Date.UTC(2026, 10, 3, 8))).toBe("Nov 3, 2026");
    expect(words.hour(Date.UTC(2026, 10, 3, 8))).toBe("Nov 3, 00:00");
  });

  test("of half-hour zones are written as they are there", () => {
    const words = momentWords("Asia/Kolkata", "en");
    expect(words.hourTick(Date.UTC(2026, 10, 2, 19))).toBe("Nov 3");
    expect(words.hourTick(Date.UTC(2026, 10, 2, 20))).toBe("01:30");
    expect(findDay("Asia/Kolkata", Date.UTC(2026, 10, 2, 19))).toBe("2026-11-03");
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

test("a row is copied with every figure", () => {
  const copied = JSON.parse(rowAsJson(row("key_1", 42, 7), "key", "Laptop", { since: 0, until: 86_400_000 })) as object;
  expect(copied).toMatchObject({
    since: "1970-01-01T00:00:00.000Z",
    until: "1970-01-02T00:00:00.000Z",
    key: "key_1",
    name: "Laptop",
    totals: { nano: 42 },
    latency: { p50: 7 },
  });
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
  const cell = { at: Date.UTC(2026, 10, 1, 23), source: "logs" as const, group: "key_1", totals };
  const [heads, line] = usageCsvRows({ bucket: "hour", data: [cell] }, "key", () => "=Laptop", "Europe/Berlin");
  expect(heads?.slice(0, 5)).toEqual(["day", "time_utc", "source", "key", "key_name"]);
  expect(line).toEqual([
    "2026-11-02",
    "2026-11-01T23:00:00.000Z",
    "logs",
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
