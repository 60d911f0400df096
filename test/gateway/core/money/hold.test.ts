import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ASSUMED_PRICE,
  getAllowance,
  chooseBound,
  computeCovered,
  computeHoldRequest,
} from "../../../../gateway/core/money/hold.ts";
import type { Allowance, AllowedCall } from "../../../../gateway/core/money/hold.ts";
import type { Price, Units } from "../../../../gateway/core/models/model.ts";
import { priceUnits } from "../../../../gateway/core/money/price.ts";

const usd = (amount: number) => Math.round(amount * 1e9);
const USD = 1e9;
const price: Price = {
  tiers: [
    { above: 0, rates: { input: usd(1), output: usd(10) } },
    { above: 1_000, rates: { input: usd(2), output: usd(20) } },
  ],
  source: "s",
  as_of: "2026-11-20",
};
const flat = (rates: Price["tiers"][number]["rates"]): Price => ({ ...price, tiers: [{ above: 0, rates }] });
const free = flat({ input: 0, output: 0 });

const allowance = (change: Partial<AllowedCall> = {}): Allowance =>
  getAllowance({
    price,
    prompt: { tokens: 100, forAnHour: false, hasSound: false, searches: 0 },
    prompts: 1,
    choices: 1,
    perChoice: 1_000,
    open: false,
    least: 64,
    longestKnown: true,
    speaks: false,
    draws: false,
    ...change,
  });
const paid = (units: Units, at: Price = price): number => priceUnits(units, at).nano ?? Number.NaN;

describe("what is held", () => {
  test("is all that a bounded answer can cost, whatever remains", () => {
    for (const remaining of [0, 1_000, Infinity]) {
      const { nano, open } = computeHoldRequest([allowance()], remaining);
      expect(nano).toBe(paid({ input: 100, output: 1_000 }));
      expect(open).toBe(false);
    }
  });

  test("is at the least the prompt and 64 tokens of a response, or what the client asked for", () => {
    expect(computeHoldRequest([allowance()], 0).least).toBe(paid({ input: 100, output: 64 }));
    expect(computeHoldRequest([allowance({ perChoice: 5, least: 5 })], 0).least).toBe(paid({ input: 100, output: 5 }));
  });

  test("of an open answer is all of it, while that is no more than half of what remains", () => {
    const open = allowance({ open: true });
    const full = paid({ input: 100, output: 1_000 });
    expect(computeHoldRequest([open], Infinity).nano).toBe(full);
    expect(computeHoldRequest([open], 2 * full + 100).nano).toBe(full);
    expect(computeHoldRequest([open], full).nano).toBe(Math.floor(full / 2));
    expect(computeHoldRequest([open], full).open).toBe(true);
  });

  test("of an open answer is the least when half of what remains is less", () => {
    const { nano, least } = computeHoldRequest([allowance({ open: true })], 10);
    expect(nano).toBe(least);
  });

  test("counts a prompt as often as it is sent, and every response", () => {
    const { nano } = computeHoldRequest([allowance({ prompts: 3, choices: 3 })], 0);
    expect(nano).toBe(3 * paid({ input: 100, output: 1_000 }));
    expect(computeHoldRequest([allowance({ choices: 4 })], 0).nano).toBe(paid({ input: 100, output: 4_000 }));
  });

  test("is that of the most expensive candidate", () => {
    const cheap = allowance({ price: flat({ input: usd(0.1), output: usd(0.1) }) });
    expect(computeHoldRequest([cheap, allowance()], 0)).toEqual(computeHoldRequest([allowance(), cheap], 0));
    expect(computeHoldRequest([cheap, allowance()], 0)).toMatchObject(computeHoldRequest([allowance()], 0));
  });

  test("is at the tier of the prompt, or at a lower one that is more expensive", () => {
    const long = { tokens: 2_000, forAnHour: false, hasSound: false, searches: 0 };
    for (const tokens of [1_000, 1_001, 2_000])
      expect(computeHoldRequest([allowance({ prompt: { ...long, tokens } })], 0).nano).toBe(
        paid({ input: tokens, output: 1_000 }),
      );
    const falling: Price = {
      ...price,
      tiers: [price.tiers[1], price.tiers[0]].map((tier, at) => ({ above: at * 1_000, rates: tier?.rates ?? {} })),
    };
    expect(computeHoldRequest([allowance({ price: falling, prompt: long })], 0).nano).toBe(
      2_000 * 2_000 + 1_000 * 20_000,
    );
  });

  test("is at the most expensive rate that a token can turn out to have", () => {
    const caching = flat({
      input: usd(1),
      cached_input: usd(0.1),
      cache_write: usd(1.25),
      output: usd(1),
      reasoning: usd(5),
    });
    const short = allowance({ price: caching });
    expect(computeHoldRequest([short], 0).nano).toBe(paid({ cache_write: 100, reasoning: 1_000 }, caching));
  });

  test.each([
    [
      "an hour's cache",
      { cache_write_1h: usd(9) },
      { prompt: { tokens: 100, forAnHour: true, hasSound: false, searches: 0 } },
      900_000,
    ],
    [
      "sound to hear",
      { audio_input: usd(9) },
      { prompt: { tokens: 100, forAnHour: false, hasSound: true, searches: 0 } },
      900_000,
    ],
    ["sound to make", { audio_output: usd(9) }, { speaks: true }, 9_000_000],
    ["a picture to make", { image_output: usd(9) }, { draws: true }, 9_000_000],
  ])("counts %s only where it can occur", (_, rates, change, more) => {
    const priced = flat({ input: 0, output: 0, ...rates });
    expect(computeHoldRequest([allowance({ price: priced })], 0).nano).toBe(0);
    expect(computeHoldRequest([allowance({ price: priced, ...change })], 0).nano).toBe(more);
  });

  test("has the provider's searches in it, for each prompt", () => {
    const withSearch = flat({ input: usd(1), output: usd(10), web_search: 10_000_000 * 1_000_000 });
    const prompt = { tokens: 100, forAnHour: false, hasSound: false, searches: 3 };
    const { nano } = computeHoldRequest([allowance({ price: withSearch, prompt, prompts: 2, choices: 2 })], 0);
    expect(nano).toBe(2 * paid({ input: 100, output: 1_000, web_search: 3 }, withSearch));
  });

  test("has the fee of each request in it", () => {
    const withFee = flat({ input: usd(1), output: usd(10), request: 5_000_000 * 1_000_000 });
    const { nano } = computeHoldRequest([allowance({ price: withFee, prompts: 2, choices: 2 })], 0);
    expect(nano).toBe(2 * paid({ input: 100, output: 1_000 }, withFee));
  });

  test("of a model without a price is at an assumed one, of a free one nothing", () => {
    const unpriced = allowance({ price: null, perChoice: 10 });
    expect(computeHoldRequest([unpriced], 0).nano).toBe(paid({ input: 100, output: 10 }, ASSUMED_PRICE));
    const open = allowance({ price: null, perChoice: null, open: true });
    expect(computeHoldRequest([open], Infinity).nano).toBe(100 * 5_000 + 4_096 * 25_000);
    expect(computeHoldRequest([allowance({ price: null, perChoice: 9, open: true })], 0).nano).toBe(
      100 * 5_000 + 9 * 25_000,
    );
    expect(computeHoldRequest([allowance({ price: free })], 0)).toMatchObject({ nano: 0, least: 0 });
    // A picture's price is not that of a token.
    expect(computeHoldRequest([allowance({ price: flat({ image: usd(9) }) })], 0).nano).toBe(0);
  });

  test("of a model whose longest response no one knows is that of a careful one", () => {
    const unknown = allowance({ perChoice: null, open: true, longestKnown: false });
    expect(computeHoldRequest([unknown], Infinity).nano).toBe(paid({ input: 100, output: 32_768 }));
    const long = allowance({ perChoice: 1_000_000, open: true, longestKnown: false });
    expect(computeHoldRequest([long], 21 * USD).nano).toBe(paid({ input: 100, output: 1_000_000 }));
    expect(computeHoldRequest([long], 10 * USD).nano).toBe(paid({ input: 100, output: 32_768 }));
  });
});

describe("the bound of the responses", () => {
  test.each([
    ["none where all of it is paid for", {}, USD, Infinity],
    ["what the money covers", {}, paid({ input: 100, output: 500 }), 500],
    ["what it covers for each answer", { choices: 4 }, paid({ input: 100, output: 400 }), 100],
    ["the careful one where the longest is not known", { perChoice: null, longestKnown: false }, USD, 32_768],
    ["less than that where the money is less", { perChoice: null, longestKnown: false }, 110_000, 1],
    ["none at all where the money is less than the prompt", {}, 5, 0],
    ["no word about it at a model without a price", { price: null }, 5, null],
    ["no word about it at a model that costs nothing", { price: free }, 0, null],
    ["no word about it where output costs nothing", { price: flat({ input: usd(1), output: 0 }) }, 100_000, null],
  ])("is %s", (_, change, reserved, bound) => {
    expect(chooseBound(allowance(change), reserved)).toBe(bound);
  });

  test("covers any number of tokens that cost nothing", () => {
    expect(computeCovered(allowance({ price: free }), 0)).toBe(Infinity);
  });
});

const rate = fc.integer({ min: 0, max: usd(200) });
const rates = fc.record(
  {
    input: rate,
    output: rate,
    cached_input: rate,
    cache_write: rate,
    cache_write_1h: rate,
    reasoning: rate,
    request: rate,
  },
  { requiredKeys: ["input", "output"] },
);
const prices: fc.Arbitrary<Price> = fc
  .array(fc.record({ above: fc.nat(20_000), rates }), { minLength: 1, maxLength: 3 })
  .map((tiers) => ({
    ...price,
    tiers: tiers
      .map((tier, index) => (index === 0 ? { ...tier, above: 0 } : tier))
      .toSorted((a, b) => a.above - b.above),
  }));
const allowances = fc.record({
  price: prices,
  tokens: fc.nat(50_000),
  prompts: fc.integer({ min: 1, max: 4 }),
  each: fc.integer({ min: 1, max: 4 }),
  perChoice: fc.option(fc.integer({ min: 1, max: 200_000 })),
  open: fc.boolean(),
  forAnHour: fc.boolean(),
  longestKnown: fc.boolean(),
});

test("no usage that a bounded request allows costs more than what is held, at any price and with any money", () => {
  fc.assert(
    fc.property(
      fc.array(allowances, { minLength: 1, maxLength: 3 }),
      fc.oneof(fc.nat(1e6), fc.integer({ min: 0, max: 100 * USD })),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (given, remaining, promptShare, kindShare) => {
        const all = given.map(({ tokens, forAnHour, each, prompts, perChoice, ...rest }) =>
          allowance({
            ...rest,
            prompts,
            choices: each * prompts,
            perChoice: rest.longestKnown ? (perChoice ?? 8_192) : perChoice,
            least: Math.min(64, perChoice ?? 64),
            prompt: { tokens, forAnHour, hasSound: false, searches: 0 },
          }),
        );
        const { nano, least } = computeHoldRequest(all, remaining);
        // As the limit does it.
        if (remaining < Math.min(least, nano)) return;
        const reserved = Math.min(nano, remaining);
        for (const one of all) {
          const bound = chooseBound(one, reserved);
          if (bound === null) continue;
          expect(bound).toBeGreaterThanOrEqual(one.least);
          const most = Math.min(bound, one.perChoice ?? Infinity);
          expect(most).toBeLessThan(Infinity);
          const prompt = Math.floor(one.prompt.tokens * promptShare);
          const input = Math.floor(prompt * kindShare);
          const written = one.prompt.forAnHour ? "cache_write_1h" : "cache_write";
          const output = Math.floor((most * one.choices * kindShare) / one.prompts);
          const each = most * (one.choices / one.prompts);
          const units = { input, [written]: prompt - input, output, reasoning: each - output };
          const cost = priceUnits(
            Array.from({ length: one.prompts }, () => ({ units })),
            one.price,
          );
          // Lines are rounded one by one.
          expect(cost.nano ?? 0).toBeLessThanOrEqual(reserved + 3 * one.prompts);
        }
      },
    ),
    { numRuns: 3_000 },
  );
});
