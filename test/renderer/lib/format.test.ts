import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  getAge,
  formatBytes,
  formatCompact,
  formatDuration,
  formatLength,
  formatMoney,
  formatNearDay,
  formatMoneyExact,
  formatRate,
  formatUsd,
  getPercent,
} from "../../../renderer/lib/format.ts";

describe("money", () => {
  it.each([
    [0, "$0.00"],
    [1, "$0.000000001"],
    [420, "$0.00000042"],
    [420_000, "$0.00042"],
    [421_337, "$0.000421"],
    [12_345_678, "$0.0123"],
    [125_000_000, "$0.125"],
    [500_000_000, "$0.50"],
    [999_999_999, "$1.00"],
    [1_000_000_000, "$1.00"],
    [1_842_310_000, "$1.84"],
    [1_234_567_890_000, "$1,234.57"],
  ])("%i nano is %s", (nano, text) => {
    expect(formatMoney(nano)).toBe(text);
  });

  it.each([
    [150_000_000, 1_000_000, "$0.15"],
    [37_500_000, 1_000_000, "$0.0375"],
    [30_000_000_000, 1_000_000, "$30.00"],
    [40_000_000_000_000, 1, "$0.04"],
    [3_896_000_000_000, 1, "$0.003896"],
    [0, 1_000_000, "$0.00"],
  ] as const)("%i nano for a million is, for %i, %s", (nanoPerMillion, units, text) => {
    expect(formatRate(nanoPerMillion, units)).toBe(text);
  });

  it("is never written as nothing when it is something", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (nano) => {
        expect(formatMoney(nano)).toMatch(/[1-9]/);
      }),
    );
  });

  it("is within half a percent of the truth", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 14 }), (nano) => {
        const shown = Number(formatMoney(nano).replace(/[$,]/g, "")) * 1e9;
        expect(Math.abs(shown - nano) / nano).toBeLessThanOrEqual(0.005);
      }),
    );
  });

  it("loses nothing in the exact form", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (nano) => {
        const [dollars = "", fraction = ""] = formatMoneyExact(nano).slice(1).replaceAll(",", "").split(".");
        expect(Number(dollars) * 1e9 + Number(fraction.padEnd(9, "0"))).toBeCloseTo(nano, 0);
      }),
    );
  });

  it.each([
    [5, "$5"],
    [0.25, "$0.25"],
    [1_000, "$1,000"],
    [0.001, "$0.001"],
  ])("a typed limit of %d is %s", (usd, text) => {
    expect(formatUsd(usd)).toBe(text);
  });
});

it.each([
  [0, "0 ms"],
  [820.4, "820 ms"],
  [999.6, "1.0 s"],
  [4_200, "4.2 s"],
  [59_949, "59.9 s"],
  [59_960, "1 min"],
  [190_000, "3 min 10 s"],
  [3_599_800, "1 h"],
  [7_500_000, "2 h 5 min"],
  [90_000_000, "1 d 1 h"],
])("%d ms lasts %s", (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

it.each([
  [0, "0"],
  [9_999, "9,999"],
  [12_345, "12.3k"],
  [999_499, "999k"],
  [999_500, "1M"],
  [999_499_999, "999M"],
  [999_500_000, "1B"],
  [4_100_000, "4.1M"],
  [2_500_000_000, "2.5B"],
])("%i is %s in a narrow place", (count, text) => {
  expect(formatCompact(count)).toBe(text);
});

it.each([
  [0, { kind: "now" }],
  [4_999, { kind: "now" }],
  [59_000, { kind: "past", unit: "s", value: 59 }],
  [60_000, { kind: "past", unit: "min", value: 1 }],
  [86_399_999, { kind: "past", unit: "h", value: 23 }],
  [4_999, { kind: "now" }],
  [5_000, { kind: "past", unit: "s", value: 5 }],
  [59_999, { kind: "past", unit: "s", value: 59 }],
  [60_000, { kind: "past", unit: "min", value: 1 }],
  [3_599_999, { kind: "past", unit: "min", value: 59 }],
  [3_600_000, { kind: "past", unit: "h", value: 1 }],
  [86_399_999, { kind: "past", unit: "h", value: 23 }],
  [86_400_000, { kind: "date" }],
  [-42_000, { kind: "future", unit: "s", value: 42 }],
])("%i ms ago reads as %o", (distance, age) => {
  expect(getAge(1_000_000_000 - distance, 1_000_000_000)).toEqual(age);
});

it("draws bars between nothing and all", () => {
  expect([getPercent(1, 4), getPercent(9, 3), getPercent(0, 0), getPercent(1, 0)]).toEqual([25, 100, 0, 100]);
});

it.each([
  [0, "0:00"],
  [499, "0:00"],
  [7_200, "0:07"],
  [59_600, "1:00"],
  [750_000, "12:30"],
  [3_600_000, "1:00:00"],
  [3_723_000, "1:02:03"],
])("%i ms last %s", (milliseconds, text) => {
  expect(formatLength(milliseconds)).toBe(text);
});

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1 kB"],
  [12_345, "12.3 kB"],
  [999_949, "999.9 kB"],
  [999_951, "1 MB"],
  [4_100_000, "4.1 MB"],
  [2_000_000_000, "2 GB"],
])("%i bytes are %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it.each([
  ["of this year", new Date(2026, 0, 5), "Jan 5"],
  ["of another year", new Date(2025, 11, 31), "Dec 31, 2025"],
])("a day %s", (_name, day, text) => {
  expect(formatNearDay(day.getTime(), new Date(2026, 10, 22).getTime(), "en")).toBe(text);
});
