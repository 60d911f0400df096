import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { allModels, findModel } from "../../../../gateway/catalog/lookup.ts";
import { receiptTermSchema } from "../../../../gateway/contract/receipt.ts";
import { choosePrice, priceUnits } from "../../../../gateway/core/money/price.ts";
import { videoHold, videoUnits } from "../../../../gateway/core/videos/video-cost.ts";

const priceOfModel = (id: string) => {
  const price = findModel(id)?.price;
  if (price == null) throw new Error(`${id} is unpriced`);
  return price;
};

describe("what is held", () => {
  it.each([
    ["alpha2.7-t2v", 5, "720p", 500_000_000],
    ["alpha2.7-t2v", 5, "1080p", 750_000_000],
    ["alpha2.5-t2v-preview", 10, "480p", 500_000_000],
    ["beta-1.0-video-edit", 30, "1080p", 7_200_000_000],
    ["grok-imagine-video", 6, "720p", 420_000_000],
    ["sora-2-pro", 12, "1024p", 6_000_000_000],
    // 7 USD for a million tokens, 21,600 tokens a second.
    ["doubao-seedance-2-0-260128", 5, "720p", 756_000_000],
  ])("%s, %d s at %s", (id, holdSeconds, resolution, nano) => {
    expect(videoHold({ holdSeconds, resolution }, priceOfModel(id))).toBe(nano);
  });

  it("the most expensive resolution stands for one that has no price", () => {
    expect(videoHold({ holdSeconds: 1, resolution: "540p" }, priceOfModel("alpha2.7-t2v"))).toBe(150_000_000);
  });

  it("is the same whether the price was chosen before or not", () => {
    const price = priceOfModel("alpha2.7-t2v");
    const order = { holdSeconds: 7.5, resolution: "720p" };
    expect(videoHold(order, choosePrice(price, { resolution: "720p" }))).toBe(videoHold(order, price));
  });

  it.each([null, { tiers: [{ above: 0, rates: { input: 1 } }], source: "s", as_of: "2026-11-20" }])(
    "an unpriced second needs room all the same",
    (price) => {
      expect(videoHold({ holdSeconds: 5, resolution: "720p" }, price)).toBe(1_500_000_000);
    },
  );
});

describe("what is billed", () => {
  it("13.24 s at $0.24 are $3.1776", () => {
    const price = choosePrice(priceOfModel("beta-1.0-video-edit"), { resolution: "1080p" });
    expect(priceUnits(videoUnits(13.24), price)).toMatchObject({
      terms: [{ unit: "second", quantity: 13.24, nano_per_million: 240_000_000_000_000, nano: 3_177_600_000 }],
      nano: 3_177_600_000,
    });
  });

  it.each([
    [6.619999999999999, 6.62],
    [0.0004, 0],
    [5, 5],
    [5.0416666, 5.042],
  ])("%d s are kept as %d", (seconds, second) => expect(videoUnits(seconds)).toEqual({ second }));

  test("for any length and model: whole nano USD, exact, in a term that the receipt's schema takes", () => {
    const models = allModels().filter((model) => model.capabilities.includes("video"));
    fc.assert(
      fc.property(fc.constantFrom(...models), fc.integer({ min: 1, max: 3_600_000 }), (model, thousandths) => {
        const resolution = model.video?.resolutions[0] ?? "";
        const price = choosePrice(priceOfModel(model.id), { resolution });
        const { terms, nano } = priceUnits(videoUnits(thousandths / 1_000), price);
        const rate = price.tiers[0]?.rates.second ?? 0;
        expect(BigInt(nano ?? -1)).toBe((BigInt(thousandths) * BigInt(rate) + 500_000_000n) / 1_000_000_000n);
        for (const term of terms) expect(receiptTermSchema.safeParse(term).error).toBeUndefined();
      }),
    );
  });

  test.each([
    ["second", 13.24, true],
    ["second", 13.2405, false],
    ["second", -1, false],
    ["image", 1.5, false],
    ["output", 1, true],
  ])("a receipt may say %s: %d: %j", (unit, quantity, valid) => {
    expect(receiptTermSchema.safeParse({ unit, quantity, nano_per_million: 1, nano: 0 }).success).toBe(valid);
  });
});
