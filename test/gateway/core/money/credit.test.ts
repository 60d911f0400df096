import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatBalance } from "../../../../gateway/contract/credit.ts";
import { createCredit, isBelow, readAmount } from "../../../../gateway/core/money/credit.ts";

describe("readAmount", () => {
  it.each<[unknown, number | null]>([
    ["110.00", 110_000_000_000],
    ["0.000000001", 1],
    ["0.0000000019", 1],
    ["-0.42", -420_000_000],
    ["+3", 3_000_000_000],
    [" 12.5 ", 12_500_000_000],
    ["0", 0],
    ["-0", 0],
    ["-0.0000000001", 0],
    [49.58894, 49_588_940_000],
    [0.1 + 0.2, 300_000_000],
    [1e-7, 100],
    [-3.00001, -3_000_010_000],
    [0, 0],
    ["9007199.254740991", Number.MAX_SAFE_INTEGER],
    ["9007199.254740992", null],
    [1e21, null],
    ["1e99", null],
    [Number.NaN, null],
    [Infinity, null],
    ["", null],
    ["1,000.00", null],
    [".5", null],
    ["5.", null],
    ["0x10", null],
    ["$5", null],
    ["9".repeat(1_000_000), null],
    [null, null],
    [undefined, null],
    [true, null],
    [{}, null],
    [["5"], null],
  ])("reads %o as %o", (value, nano) => {
    expect(readAmount(value)).toBe(nano);
  });

  it("reads what counts ten-thousandths of its currency", () => {
    expect(readAmount("10000", 4)).toBe(1_000_000_000);
    expect(readAmount("1", 4)).toBe(100_000);
  });

  it("returns each amount of up to nine decimals exactly, however it is written", () => {
    const limit = Number.MAX_SAFE_INTEGER;
    fc.assert(
      fc.property(fc.integer({ min: -limit, max: limit }), fc.nat(9), (nano, decimals) => {
        const digits = String(Math.abs(nano)).padStart(10, "0");
        const sign = nano < 0 ? "-" : "";
        expect(readAmount(`${sign}${digits.slice(0, -9)}.${digits.slice(-9)}`)).toBe(nano);
        expect(readAmount(`${sign}${digits}`, 9)).toBe(nano);
        expect(readAmount(`${sign}${digits}e-${decimals}`, 9 - decimals)).toBe(nano);
      }),
    );
  });

  it("returns null or a safe integer for anything", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(Number.isSafeInteger(readAmount(value) ?? 0)).toBe(true);
      }),
    );
  });
});

it("counts a credit of zero and below as used up", () => {
  expect(createCredit("USD", 1)).toEqual({ balances: [{ currency: "USD", nano: 1 }], isUsedUp: false });
  expect(createCredit("USD", 0)?.isUsedUp).toBe(true);
  expect(createCredit("USD", -1)?.isUsedUp).toBe(true);
  expect(createCredit("USD", null)).toBeNull();
});

it("is below an amount if every currency is", () => {
  const balances = [
    { currency: "USD", nano: 1 },
    { currency: "CNY", nano: 5 },
  ];
  expect([isBelow(balances, 5), isBelow(balances, 6), isBelow([], 6)]).toEqual([false, true, false]);
});

it.each([
  [1_200_000_000, "1.20 USD"],
  [49_588_940_000, "49.5889 USD"],
  [0, "0.00 USD"],
  [99_999, "0.00 USD"],
  [-420_000_000, "-0.42 USD"],
  [1_230_000_000, "1.23 USD"],
  [1_234_000_000, "1.234 USD"],
  [9_007_199_254_740_991, "9007199.2547 USD"],
])("formats %i as %s", (nano, text) => {
  expect(formatBalance({ currency: "USD", nano })).toBe(text);
});
