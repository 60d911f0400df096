import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areOpenDays, getNano, startOfDay } from "../../../renderer/lib/typed.ts";

describe("a day", () => {
  it("begins at midnight in the owner's own zone", () => {
    expect(startOfDay("2026-11-20")).toBe(new Date(2026, 10, 20).getTime());
    expect(startOfDay("2024-02-29")).toBe(new Date(2024, 1, 29).getTime());
    expect(startOfDay("2026-12-31", 1)).toBe(new Date(2027, 0, 1).getTime());
    expect(startOfDay("1950-01-01")).toBe(0);
  });

  it.each(["2026-02-30", "2026-02-31", "2026-13-01", "0001-01-01", "2026-1-1", "20261120", "today", "", null])(
    "is not %s",
    (text) => {
      expect(startOfDay(text)).toBeNull();
    },
  );
});

it.each([
  ["2026-11-20", "2026-11-20", true],
  ["2026-11-20", "2026-11-21", true],
  ["2026-11-21", "2026-11-20", false],
  ["2026-11-20", "", true],
  ["", "2026-11-20", true],
  ["", "", false],
])("the days from %j to %j can be shown: %j", (first, last, areShown) => {
  expect(areOpenDays(first, last)).toBe(areShown);
});

describe("an amount", () => {
  it.each([
    ["0.05", 50_000_000],
    ["$1", 1_000_000_000],
    [" 2.5 ", 2_500_000_000],
    [".5", 500_000_000],
    ["3.", 3_000_000_000],
    ["0.000000001", 1],
    ["0", 0],
  ])("%j is %i nano", (text, nano) => {
    expect(getNano(text)).toBe(nano);
  });

  it.each(["", " ", "$", ".", "-1", "1e3", "1,5", "0.0000000001", "1234567", "abc", "0x10", "1 2", null])(
    "%j is invalid",
    (text) => {
      expect(getNano(text)).toBeNull();
    },
  );

  it("is exact to the last digit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 999_999_999 }), (usd, nano) => {
        expect(getNano(`${usd}.${String(nano).padStart(9, "0")}`)).toBe(usd * 1_000_000_000 + nano);
      }),
    );
  });
});
