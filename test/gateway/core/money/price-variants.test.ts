import { expect, it } from "vitest";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import { modelPricingSchema } from "../../../../gateway/contract/models.ts";
import type { Price } from "../../../../gateway/core/models/model.ts";
import { createPricingView } from "../../../../gateway/core/money/price-view.ts";
import { choosePrice } from "../../../../gateway/core/money/price.ts";

const FILM: Price = {
  tiers: [{ above: 0, rates: { second: 100 } }],
  variants: [
    { when: { resolution: "1080p", sound: "on" }, rates: { second: 300 } },
    { when: { resolution: "1080p" }, rates: { second: 200 } },
    { when: { resolution: "720p" }, rates: { second: 100 } },
  ],
  source: "test",
  as_of: "2026-11-20",
};

it.each([
  [{}, 100],
  [{ resolution: "480p" }, 100],
  [{ resolution: "720p" }, 100],
  [{ resolution: "1080p" }, 200],
  [{ resolution: "1080p", sound: "off" }, 200],
  [{ resolution: "1080p", sound: "on" }, 300],
  [{ sound: "on" }, 100],
])("the first variant whose facts all hold is taken: %j", (facts, rate) => {
  expect(choosePrice(FILM, facts)).toEqual({
    tiers: [{ above: 0, rates: { second: rate } }],
    source: "test",
    as_of: "2026-11-20",
  });
});

it("a variant replaces the rates that it names and no others, and nothing chooses twice", () => {
  const price: Price = {
    ...FILM,
    tiers: [
      { above: 0, rates: { input: 1, image: 2 } },
      { above: 10, rates: { input: 3 } },
    ],
    variants: [{ when: { quality: "hd" }, rates: { image: 4 } }],
  };
  const chosen = choosePrice(price, { quality: "hd" });
  expect(chosen.tiers).toEqual([
    { above: 0, rates: { input: 1, image: 4 } },
    { above: 10, rates: { input: 3 } },
  ]);
  expect(choosePrice(chosen, { quality: "hd" })).toEqual(chosen);
});

it("GET /v1/models shows seconds by resolution", () => {
  const view = createPricingView(FILM);
  expect(view).toMatchObject({ per_second: { "1080p": 300 / 1e15, "720p": 100 / 1e15 } });
  expect(modelPricingSchema.safeParse(view).success).toBe(true);
});

it("GET /v1/models shows images at their usual price, and what else they can cost", () => {
  const view = createPricingView(findModel("epsilon-3")?.price ?? null);
  expect(view).toMatchObject({
    per_image: 0.04,
    variants: [
      { when: { size: "1792x1024", quality: "hd" }, per_image: 0.12 },
      { when: { size: "1024x1792", quality: "hd" }, per_image: 0.12 },
      { when: { size: "1792x1024" }, per_image: 0.08 },
      { when: { size: "1024x1792" }, per_image: 0.08 },
      { when: { quality: "hd" }, per_image: 0.08 },
    ],
  });
  expect(modelPricingSchema.safeParse(view).success).toBe(true);
  expect(createPricingView(findModel("epsilon-2")?.price ?? null)).toMatchObject({ per_image: 0.02 });
});
