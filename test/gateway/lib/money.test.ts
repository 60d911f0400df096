import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addNano,
  MAX_NANO,
  NANO_PER_USD,
  dollars,
  nanoFromUsd,
  computePrice,
  usdFromNano,
} from "../../../gateway/lib/money.ts";

describe("USD to nano and back", () => {
  test.each([
    [0, 0],
    [1, 1_000_000_000],
    [0.000000001, 1],
    [0.1 + 0.2, 300_000_000],
    [19.99, 19_990_000_000],
    [9_000_000, 9_000_000_000_000_000],
  ])("$%d is %i nano", (usd, nano) => {
    expect(nanoFromUsd(usd)).toBe(nano);
  });

  test.each([[-0.01], [NaN], [Infinity], [-Infinity], [1e308], [9_100_000]])("%d is no amount of money", (usd) => {
    expect(() => nanoFromUsd(usd)).toThrow(RangeError);
  });

  test("every amount survives the way to a float and back, up to $1,000,000", () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000 * NANO_PER_USD }), (nano) => {
        expect(nanoFromUsd(usdFromNano(nano))).toBe(nano);
      }),
    );
  });
});

describe("quantity × rate", () => {
  /** The same in integers without bound, half up. */
  const exact = (quantity: number, rate: number) => (BigInt(quantity) * BigInt(rate) + 500_000n) / 1_000_000n;

  test.each([
    [1, 2_500_000_000, 2_500],
    [1_000_000, 2_500_000_000, 2_500_000_000],
    [1, 499_999, 0],
    [1, 500_000, 1],
    [3, 500_000, 2],
    [0, 2_500_000_000, 0],
    [10, 0, 0],
  ])("%i at %i is %i nano", (quantity, rate, nano) => {
    expect(computePrice(quantity, rate)).toBe(nano);
  });

  test("is exact at any size, also beyond 2^53", () => {
    const quantity = fc.nat({ max: 1_000_000_000 });
    const rate = fc.oneof(fc.integer({ min: 0, max: 1_000_000_000_000 }), fc.nat({ max: MAX_NANO }));
    fc.assert(
      fc.property(quantity, rate, (units, perMillion) => {
        const expected = exact(units, perMillion);
        expect(BigInt(computePrice(units, perMillion))).toBe(expected < BigInt(MAX_NANO) ? expected : BigInt(MAX_NANO));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    [13.24, 240_000_000_000_000, 3_177_600_000],
    [0.001, 500_000_000, 1],
    [0.001, 499_999_999, 0],
    [5.0416666, 100_000_000_000_000, 504_200_000],
    [0.0004, 1_000_000_000_000_000, 0],
  ])("fractions of %d at %i are %i nano", (quantity, rate, nano) => {
    expect(computePrice(quantity, rate)).toBe(nano);
  });

  test("is exact for thousandths of a unit too, at any size", () => {
    const thousandths = fc.nat({ max: 1_000_000_000 });
    const rate = fc.nat({ max: 1_000_000_000_000_000 });
    fc.assert(
      fc.property(thousandths, rate, (parts, perMillion) => {
        const expected = (BigInt(parts) * BigInt(perMillion) + 500_000_000n) / 1_000_000_000n;
        const most = BigInt(MAX_NANO);
        expect(BigInt(computePrice(parts / 1_000, perMillion))).toBe(expected < most ? expected : most);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a million random lines: their sum is the exact sum of the rounded lines, without drift", () => {
    let seed = 42;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed % below;
    };
    let sum = 0;
    let exactSum = 0n;
    for (let line = 0; line < 1_000_000; line += 1) {
      const quantity = random(100_000);
      const rate = random(2_000_000_000);
      sum += computePrice(quantity, rate);
      exactSum += exact(quantity, rate);
    }
    expect(Number.isSafeInteger(sum)).toBe(true);
    expect(BigInt(sum)).toBe(exactSum);
  });

  test("never falls when the quantity grows", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000), fc.nat(100_000_000_000), (quantity, more, rate) => {
        expect(computePrice(quantity + more, rate)).toBeGreaterThanOrEqual(computePrice(quantity, rate));
      }),
    );
  });
});

test.each([
  [0, "$0.00"],
  [1, "$0.000000001"],
  [60, "$0.000000060"],
  [1_000, "$0.0000010"],
  [123_456, "$0.00012"],
  [10_000_000, "$0.01"],
  [2_500_000_000, "$2.50"],
])("%d nano are %s for people", (nano, words) => {
  expect(dollars(nano)).toBe(words);
});

test("a sum of amounts is right, or the most that can be counted", () => {
  const amount = fc.oneof(fc.nat({ max: MAX_NANO }), fc.constant(MAX_NANO), fc.nat({ max: 1_000 }));
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      const sum = BigInt(a) + BigInt(b);
      expect(BigInt(addNano(a, b))).toBe(sum < BigInt(MAX_NANO) ? sum : BigInt(MAX_NANO));
      // Zero has no sign here.
      expect(addNano(-a, -b) + 0).toBe(-addNano(a, b) + 0);
    }),
  );
});
