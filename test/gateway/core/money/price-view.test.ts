import { describe, expect, test } from "vitest";
import { modelPricingSchema } from "../../../../gateway/contract/models.ts";
import type { Price } from "../../../../gateway/core/models/model.ts";
import { createPricingView } from "../../../../gateway/core/money/price-view.ts";

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
    const view = createPricingView(tiered);
    expect(view).toStrictEqual({
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

  test("images and characters go by the contract's names", () => {
    const price: Price = {
      ...plain,
      tiers: [{ above: 0, rates: { character: usd(15), image_output: usd(30), image: usd(1) } }],
    };
    expect(createPricingView(price)).toMatchObject({ per_character: 1.5e-5, image_output: 3e-5, per_image: 1e-6 });
  });

  test("an unpriced model has null", () => {
    expect(createPricingView(null)).toBeNull();
    expect(createPricingView({ ...plain, tiers: [] })).toBeNull();
  });

  test("an end, factors and variants are named where there are some, and seconds by resolution alone", () => {
    const base = { currency: "USD", source: "s", as_of: "2026-11-20" };
    const [until, factors] = ["2027-01-01", { speed: { fast: 2 } }];
    const film = (variants: Price["variants"], second = usd(1)) =>
      createPricingView({ ...plain, tiers: [{ above: 0, rates: { second } }], ...(variants && { variants }) });
    expect(createPricingView({ ...plain, until, factors, variants: [] })).toStrictEqual({
      ...base,
      input: 1e-6,
      output: 1e-5,
      until,
      factors,
    });
    const [at720, loud] = [{ resolution: "720p" }, { sound: "on" }];
    expect([
      film([{ when: at720, rates: { second: usd(2) } }]),
      film([
        { when: loud, rates: { second: usd(2) } },
        { when: at720, rates: { image: usd(3) } },
      ]),
    ]).toStrictEqual([
      { ...base, per_second: { "720p": 2e-6 } },
      { ...base, variants: [{ when: at720, per_image: 3e-6 }], per_second: { any: 1e-6 } },
    ]);
  });
});
