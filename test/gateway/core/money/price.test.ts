import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { modelPricingSchema } from "../../../../gateway/contract/models.ts";
import { receiptTermSchema } from "../../../../gateway/contract/receipt.ts";
import type { Price, Units } from "../../../../gateway/core/models/model.ts";
import { priceUnits, pricingView, tierFor } from "../../../../gateway/core/money/price.ts";

const usd = (amount: number) => Math.round(amount * 1e9);

/** gpt-5.4 (upstreams reference 11.2). */
const tiered: Price = {
  tiers: [
    { above: 0, rates: { input: usd(2.5), cached_input: usd(0.25), output: usd(15) } },
    { above: 272_000, rates: { input: usd(5), cached_input: usd(0.5), output: usd(22.5) } },
  ],
  source: "somewhere",
  as_of: "2026-11-20",
};
const plain: Price = {
  tiers: [{ above: 0, rates: { input: usd(1), output: usd(10) } }],
  source: "s",
  as_of: "2026-11-20",
};

describe("priceUnits", () => {
  test("a line for each class, and their sum", () => {
    const priced = priceUnits({ input: 86, cached_input: 1_920, output: 44, reasoning: 256 }, tiered);
    expect(priced.terms).toEqual([
      { unit: "input", quantity: 86, nano_per_million: 2_500_000_000, nano: 215_000 },
      { unit: "cached_input", quantity: 1_920, nano_per_million: 250_000_000, nano: 480_000 },
      { unit: "output", quantity: 44, nano_per_million: 15_000_000_000, nano: 660_000 },
      { unit: "reasoning", quantity: 256, nano_per_million: 15_000_000_000, nano: 3_840_000 },
    ]);
    expect(priced.nano).toBe(5_195_000);
  });

  test.each([
    ["cached_input as input", { cached_input: 1_000_000 }, usd(1)],
    ["cache_write as input", { cache_write: 1_000_000 }, usd(1)],
    ["cache_write_1h as input", { cache_write_1h: 1_000_000 }, usd(1)],
    ["reasoning as output", { reasoning: 1_000_000 }, usd(10)],
  ])("without a rate of its own, %s", (_, units, nano) => {
    expect(priceUnits(units, plain).nano).toBe(nano);
  });

  test("what is kept for an hour costs what is kept for five minutes where it has no rate of its own", () => {
    const rates = { input: usd(1), cache_write: usd(1.25), output: usd(10) };
    const one: Price = { ...plain, tiers: [{ above: 0, rates }] };
    expect(priceUnits({ cache_write_1h: 1_000_000 }, one).nano).toBe(usd(1.25));
    const two: Price = { ...plain, tiers: [{ above: 0, rates: { ...rates, cache_write_1h: usd(2) } }] };
    expect(priceUnits({ cache_write: 1_000_000, cache_write_1h: 1_000_000 }, two).nano).toBe(usd(3.25));
  });

  test("with a rate of its own, reasoning has that one", () => {
    const price: Price = {
      ...plain,
      tiers: [{ above: 0, rates: { input: usd(0.05), output: usd(0.2), reasoning: usd(0.5) } }],
    };
    expect(priceUnits({ output: 1_000_000, reasoning: 1_000_000 }, price).nano).toBe(usd(0.7));
  });

  test.each([
    [{ input: 272_000 }, 0],
    [{ input: 272_001 }, 272_000],
    [{ input: 1, cached_input: 272_000 }, 272_000],
    [{ cache_write: 200_000, cached_input: 72_001 }, 272_000],
    [{ cache_write_1h: 272_001 }, 272_000],
    [{ input: 1, output: 900_000 }, 0],
  ])("%j falls into the tier above %i", (units: Units, above) => {
    const { output: _, ...ofThePrompt } = units;
    const tier = tierFor(
      tiered,
      Object.values(ofThePrompt).reduce((sum, quantity) => sum + quantity, 0),
    );
    expect(tier.above).toBe(above);
    expect(priceUnits({ ...units, output: 1_000_000 }, tiered).terms.at(-1)?.nano_per_million).toBe(tier.rates.output);
  });

  test("the whole request has the rates of its tier, output too", () => {
    expect(priceUnits({ input: 300_000, output: 1_000 }, tiered).nano).toBe(usd(1.5) + usd(0.0225));
  });

  test("a class that has no rate makes the request unpriced, not free", () => {
    expect(priceUnits({ input: 10, image_output: 5 }, plain).nano).toBeNull();
  });

  test("classes without units have no line", () => {
    expect(priceUnits({ input: 10, output: 0, image: 0 }, plain).terms.map((term) => term.unit)).toEqual(["input"]);
  });

  test("a price of 0 is a price", () => {
    const local: Price = { ...plain, tiers: [{ above: 0, rates: { input: 0, output: 0 } }] };
    expect(priceUnits({ input: 10, output: 5 }, local)).toMatchObject({ nano: 0, terms: [{ nano: 0 }, { nano: 0 }] });
  });

  test("for any units and rates: the sum of the lines is the total, and every line is a receipt term", () => {
    const quantity = fc.nat(10_000_000);
    const rate = fc.nat(usd(1_000));
    const units = fc.record({
      input: quantity,
      cached_input: quantity,
      cache_write: quantity,
      cache_write_1h: quantity,
      output: quantity,
      reasoning: quantity,
    });
    const rates = fc.record(
      { input: rate, output: rate, cached_input: rate, cache_write: rate, cache_write_1h: rate, reasoning: rate },
      { requiredKeys: ["input", "output"] },
    );
    fc.assert(
      fc.property(units, rates, (given, first) => {
        const { terms, nano } = priceUnits(given, { ...plain, tiers: [{ above: 0, rates: first }] });
        expect(terms.reduce((sum, term) => sum + term.nano, 0)).toBe(nano);
        for (const term of terms) expect(receiptTermSchema.safeParse(term).success).toBe(true);
      }),
    );
  });
});

describe("pricingView", () => {
  test("USD per single unit, higher tiers as a list", () => {
    const view = pricingView(tiered);
    expect(view).toEqual({
      currency: "USD",
      input: 2.5e-6,
      cached_input: 2.5e-7,
      output: 1.5e-5,
      tiers: [{ above: 272_000, input: 5e-6, cached_input: 5e-7, output: 2.25e-5 }],
      source: "somewhere",
      as_of: "2026-11-20",
    });
    expect(modelPricingSchema.strict().safeParse(view).success).toBe(true);
  });

  test("a single tier has no list", () => {
    expect(pricingView(plain)).not.toHaveProperty("tiers");
  });

  test("images and characters go by the contract's names", () => {
    const price: Price = {
      ...plain,
      tiers: [{ above: 0, rates: { character: usd(15), image_output: usd(30), image: usd(1) } }],
    };
    expect(pricingView(price)).toMatchObject({ per_character: 1.5e-5, image_output: 3e-5, per_image: 1e-6 });
  });

  test("an unpriced model has null", () => {
    expect(pricingView(null)).toBeNull();
  });
});
