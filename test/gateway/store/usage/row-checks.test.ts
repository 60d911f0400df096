import { expect, test } from "vitest";
import { SUMS, emptyTotals } from "../../../../gateway/core/usage/usage-totals.ts";
import { asSpendRow, readDailyRow } from "../../../../gateway/store/usage/row-checks.ts";

const daily: Record<string, unknown> = {
  ...emptyTotals(),
  id: "2026-11-20|k|m|c|chat",
  n: 3,
  day: "2026-11-20",
  key: "k",
  model: "",
  client: "",
  endpoint: "chat",
  requests: Number.MAX_SAFE_INTEGER,
  durations: { 80: 2 },
  first_durations: {},
};
const spend = {
  id: "*",
  n: 1,
  total_nano: 5,
  days: [
    { period: "2026-11-19", nano: 2 },
    { period: "2026-11-20", nano: 3 },
  ],
  months: [{ period: "2026-11", nano: 5 }],
  last_used_at: 1.5,
};
/** As layout 1 had it. */
const earlier = {
  id: "*",
  n: 1,
  total_nano: 5,
  day: "2026-11-20",
  day_nano: 3,
  month: "2026-11",
  month_nano: 5,
  last_used_at: 1.5,
};
const without = (row: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.fromEntries(Object.entries(row).filter(([field]) => field !== name));

const isDailyRow = (value: unknown): boolean => readDailyRow(value) !== null;
/** Sums that versions before them did not write: such a row has none of what they count. */
const LATER = ["cancelled_requests", "unknown_requests", "estimated_requests", "estimated_nano", "cache_saved_nano"];

const NOT_AN_AMOUNT: readonly unknown[] = [-1, 0.5, "1", null, Number.MAX_SAFE_INTEGER + 1, Number.NaN, [], {}, true];
const NOT_A_TEXT: readonly unknown[] = [1, null, {}, ["a"]];

test("rows as they are written are taken, and those of earlier versions, and what later ones add", () => {
  expect(isDailyRow(daily)).toBe(true);
  for (const name of ["endpoint", "durations", "first_durations"]) expect(isDailyRow(without(daily, name))).toBe(true);
  expect(isDailyRow({ ...daily, later: "field" })).toBe(true);
  expect(asSpendRow(spend)).toEqual(spend);
  expect(asSpendRow({ ...spend, later: 1 })).toEqual({ ...spend, later: 1 });
  expect(asSpendRow(earlier)).toEqual({ ...spend, days: [{ period: "2026-11-20", nano: 3 }] });
});

test.each([undefined, null, 1, "row", [], [daily]])("%j is no row", (value) => {
  expect([isDailyRow(value), asSpendRow(value)]).toEqual([false, null]);
});

test.each(LATER)("a row without %s, of an earlier version, has 0 of them", (name) => {
  expect(readDailyRow(without(daily, name))).toEqual({ ...daily, [name]: 0 });
});

test.each(["n", ...SUMS])("a daily row needs %s as an amount", (name) => {
  if (!LATER.includes(name)) expect(isDailyRow(without(daily, name))).toBe(false);
  // Caches may cost more than they save.
  const wrong = name === "cache_saved_nano" ? NOT_AN_AMOUNT.filter((value) => value !== -1) : NOT_AN_AMOUNT;
  for (const value of wrong) expect(isDailyRow({ ...daily, [name]: value })).toBe(false);
});

test.each(["id", "day", "key", "model", "client"])("a daily row needs %s as a text", (name) => {
  expect(isDailyRow(without(daily, name))).toBe(false);
  for (const value of NOT_A_TEXT) expect(isDailyRow({ ...daily, [name]: value })).toBe(false);
});

test("an id is not empty, an endpoint is a text where there is one", () => {
  expect(isDailyRow({ ...daily, id: "" })).toBe(false);
  for (const endpoint of NOT_A_TEXT) expect(isDailyRow({ ...daily, endpoint })).toBe(false);
});

test.each(["durations", "first_durations"])("%s are counts by their buckets", (name) => {
  for (const value of [null, 1, "x", [], [1]]) expect(isDailyRow({ ...daily, [name]: value })).toBe(false);
  for (const value of NOT_AN_AMOUNT) expect(isDailyRow({ ...daily, [name]: { 8: 1, 9: value } })).toBe(false);
});

test.each(["n", "total_nano", "day_nano", "month_nano"])("a spend row of layout 1 needs %s as an amount", (name) => {
  expect(asSpendRow(without(earlier, name))).toBeNull();
  for (const value of NOT_AN_AMOUNT) expect(asSpendRow({ ...earlier, [name]: value })).toBeNull();
});

test.each(["n", "total_nano"])("a spend row needs %s as an amount", (name) => {
  expect(asSpendRow(without(spend, name))).toBeNull();
  for (const value of NOT_AN_AMOUNT) expect(asSpendRow({ ...spend, [name]: value })).toBeNull();
});

test.each(["days", "months"])("a spend row needs %s by their names with an amount each", (name) => {
  for (const value of [undefined, null, 1, {}, [1], [null]]) expect(asSpendRow({ ...spend, [name]: value })).toBeNull();
  for (const nano of NOT_AN_AMOUNT) expect(asSpendRow({ ...spend, [name]: [{ period: "x", nano }] })).toBeNull();
  for (const period of NOT_A_TEXT) expect(asSpendRow({ ...spend, [name]: [{ period, nano: 1 }] })).toBeNull();
});

test("a spend row needs its texts and its moment", () => {
  for (const value of NOT_A_TEXT) {
    expect(asSpendRow({ ...spend, id: value })).toBeNull();
    for (const name of ["day", "month"]) expect(asSpendRow({ ...earlier, [name]: value })).toBeNull();
  }
  for (const value of [null, "1", Number.NaN]) expect(asSpendRow({ ...spend, last_used_at: value })).toBeNull();
});
