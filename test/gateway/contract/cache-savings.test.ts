import { expect, test } from "vitest";
import { cacheSavings } from "../../../gateway/contract/cache-savings.ts";
import type { ReceiptTerm, UnitClass } from "../../../gateway/contract/receipt.ts";
import { priceUnits } from "../../../gateway/core/money/price.ts";
import type { Units } from "../../../gateway/core/models/model.ts";

/** USD per million tokens, as nano per million. */
const USD = 1_000_000_000;
const term = (unit: UnitClass, quantity: number, usd: number): ReceiptTerm => ({
  unit,
  quantity,
  nano_per_million: usd * USD,
  nano: Math.round((quantity * usd * USD) / 1_000_000),
});

test.each<[string, readonly ReceiptTerm[], number | null]>([
  ["nothing was cached", [term("input", 100, 3), term("output", 10, 15)], null],
  ["there are no terms", [], null],
  ["the input rate is not among the terms", [term("cached_input", 1_000, 0.3)], null],
  ["it was read again", [term("input", 10, 3), term("cached_input", 1_000_000, 0.3)], 2.7 * USD],
  ["it was written and never read", [term("input", 10, 3), term("cache_write", 1_000_000, 3.75)], -0.75 * USD],
  ["it was written for an hour", [term("input", 10, 3), term("cache_write_1h", 1_000_000, 6)], -3 * USD],
  [
    "it was read, and more was written",
    [term("input", 10, 3), term("cached_input", 2_000_000, 0.3), term("cache_write", 1_000_000, 3.75)],
    (5.4 - 0.75) * USD,
  ],
  ["reading it costs as much", [term("input", 10, 3), term("cached_input", 50, 3)], 0],
  [
    "prompts were sold at two rates",
    [term("input", 10, 3), term("input", 10, 6), term("cached_input", 1_000, 0.3)],
    null,
  ],
])("where %s", (_name, terms, expected) => {
  const nano = terms.reduce((sum, each) => sum + each.nano, 0);
  expect(cacheSavings({ terms: [...terms], nano })).toBe(expected);
});

test("a request whose cost is not known has saved nothing that could be reported", () => {
  const terms = [term("input", 10, 3), term("cached_input", 1_000, 0)];
  expect(cacheSavings({ terms, nano: null })).toBeNull();
});

test("it is what the same prompt would have cost without a cache, less what it did cost", () => {
  const price = {
    tiers: [
      { above: 0, rates: { input: 3 * USD, cached_input: 0.3 * USD, cache_write: 3.75 * USD, output: 15 * USD } },
    ],
    source: "s",
    as_of: "2026-11-24",
  };
  const cost = (units: Units) => priceUnits(units, price);
  const cached = cost({ input: 7, cached_input: 12_345, cache_write: 2_001, output: 99 });
  const plain = cost({ input: 7 + 12_345 + 2_001, output: 99 });
  expect(cacheSavings(cached)).toBe((plain.nano ?? 0) - (cached.nano ?? 0));
});
