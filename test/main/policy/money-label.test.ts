import * as fc from "fast-check";
import { expect, it } from "vitest";
import { moneyLabel } from "../../../main/policy/money-label.ts";

it.each([
  [0, "$0.00"],
  [1, "$0.000000001"],
  [25, "$0.000000025"],
  [420_000, "$0.00042"],
  [400_000, "$0.0004"],
  [4_200_000, "$0.0042"],
  [42_000_000, "$0.042"],
  [50_000_000, "$0.05"],
  [99_999_999, "$0.10"],
  [100_000_000, "$0.10"],
  [123_000_000, "$0.12"],
  [1_005_000_000, "$1.01"],
  [1_004_999_999, "$1.00"],
  [12_400_000_000, "$12.40"],
  [9_000_000_000_000_000, "$9000000.00"],
])("%i nano is %s", (nano, expected) => {
  expect(moneyLabel(nano)).toBe(expected);
});

it("is never zero for money that was spent, and never off by more than a tenth", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (nano) => {
      const shown = Number(moneyLabel(nano).slice(1));
      expect(shown).toBeGreaterThan(0);
      expect(Math.abs(shown * 1e9 - nano) / nano).toBeLessThan(0.1);
    }),
  );
});
