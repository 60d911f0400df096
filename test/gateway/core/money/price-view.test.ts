import { describe, expect, test } from "vitest";
import { modelPricingSchema } from "../../../../gateway/contract/models.ts";
import type { Price } from "../../../../gateway/core/models/model.ts";
import { pricingView } from "../../../../gateway/core/money/price-view.ts";

const usd = (amount: number) => Math.round(amount * 1e9);

/** gpt-5.4. */
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
