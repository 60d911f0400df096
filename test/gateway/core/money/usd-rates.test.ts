import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ratesFromUsd, usdFromRates } from "../../../../gateway/core/money/usd-rates.ts";

it.each([
  [
    { input: 1.25, output: 10 },
    { input: 1_250_000_000, output: 10_000_000_000 },
  ],
  [
    { character: 15, second: 0.1 },
    { character: 15_000_000_000, second: 100_000_000_000_000 },
  ],
  [{ image: 0.04 }, { image: 40_000_000_000_000 }],
  [{ web_search: 4.057044 }, { web_search: 4_057_044_000_000_000 }],
  [{ input: 1e-9 }, { input: 1 }],
])("%j per million or piece is %j", (usd, rates) => {
  expect(ratesFromUsd(usd)).toEqual(rates);
  expect(usdFromRates(rates)).toEqual(usd);
});

it("is no rate where it is too much to be counted, or nothing", () => {
  expect(ratesFromUsd({ image: 1e9 })).toBeNull();
  expect(ratesFromUsd({})).toBeNull();
});

it("loses no digit that a person writes", () => {
  fc.assert(
    fc.property(fc.nat(8_000_000), fc.constantFrom("input" as const, "image" as const), (micro, unit) => {
      const usd = { [unit]: micro / 1_000_000 };
      const rates = ratesFromUsd(usd);
      expect(rates).not.toBeNull();
      expect(usdFromRates(rates ?? {})).toEqual(usd);
    }),
  );
});
