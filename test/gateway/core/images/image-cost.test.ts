import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import {
  getImageBill,
  createImageFacts,
  computeImageHold,
  streamedUnits,
} from "../../../../gateway/core/images/image-cost.ts";
import type { ImageOrder } from "../../../../gateway/core/images/image-cost.ts";
import { freeImageTokens, imageTokens } from "../../../../gateway/core/images/image-tokens.ts";
import type { Price } from "../../../../gateway/core/models/model.ts";
import { choosePrice, priceUnits } from "../../../../gateway/core/money/price.ts";

const ORDER: ImageOrder = { count: 1, partials: 0, prompt: "A red fox.", references: 0, size: null, quality: null };
const USD = 1_000_000_000;

/** What a model costs for this order. */
function priceOf(id: string, order: ImageOrder): Price {
  const price = findModel(id)?.price;
  if (price == null) throw new Error(`${id} is unpriced`);
  return choosePrice(price, createImageFacts(order));
}

describe("tokens of one image", () => {
  // docs/providers/openai.md#images, the table of gpt-image-1.
  it.each([
    ["low", "1024x1024", 272],
    ["low", "1024x1536", 408],
    ["medium", "1024x1024", 1_056],
    ["medium", "1024x1536", 1_584],
    ["high", "1024x1024", 4_160],
    ["high", "1024x1536", 6_240],
  ])("%s at %s are %i", (quality, size, tokens) => {
    expect(imageTokens(size, quality, 0)).toBe(tokens);
  });

  it("are the most that can come where quality or size are left open", () => {
    for (const quality of [null, "auto", "ultra"]) expect(imageTokens("1024x1024", quality, 0)).toBe(4_160);
    for (const size of [null, "auto"]) expect(imageTokens(size, "low", 0)).toBe(408);
  });

  it("grow with the picture, and with the unfinished ones before it", () => {
    expect(imageTokens("3840x2160", "high", 0)).toBe(Math.ceil((4_160 * 3_840 * 2_160) / 1_024 ** 2));
    expect(imageTokens("1024x1024", "low", 3)).toBe(272 + 300);
  });
});

describe("the hold", () => {
  it("is the price of the images where they are priced one by one", () => {
    const order = { ...ORDER, count: 3, size: "512x512" };
    expect(computeImageHold(order, priceOf("epsilon-2", order))).toBe(54_000_000);
  });

  it("is the tokens that can come where those are priced", () => {
    const order = { ...ORDER, count: 2, size: "1024x1024", quality: "high" };
    const reserved = computeImageHold(order, priceOf("delta-image-1", order), findModel("delta-image-1")?.image);
    // Ten characters are some tokens, and the provider adds its own.
    expect(reserved).toBeGreaterThan(2 * (4_160 * 40_000 + 3 * 5_000));
    expect(reserved).toBeLessThan(2 * (4_160 * 40_000 + 120 * 5_000));
  });

  // As community.openai.com/t/1382699 worked them out of OpenAI's own calculator.
  it.each([
    ["1024x1024", "high", 7_024],
    ["1536x1024", "high", 5_488],
    ["1792x1024", "high", 5_063],
    ["3584x2048", "high", 12_329],
    ["auto", "auto", 23_719],
  ])("covers %s in %s quality of a model of free sizes: %i tokens", (size, quality, tokens) => {
    expect(freeImageTokens(size, quality)).toBe(tokens);
    const order = { ...ORDER, size, quality };
    const price = priceOf("delta-image-2", order);
    const billed = priceUnits({ input: 20, output: 500, image_output: tokens }, price).nano;
    expect(computeImageHold(order, price, findModel("delta-image-2")?.image)).toBeGreaterThanOrEqual(
      billed ?? Infinity,
    );
  });

  it("is assumed where no price is known, and never nothing", () => {
    expect(computeImageHold({ ...ORDER, count: 4 }, null)).toBe(0.8 * USD);
    const words: Price = { tiers: [{ above: 0, rates: { input: 1 } }], source: "test", as_of: "2026-01-01" };
    expect(computeImageHold(ORDER, words)).toBe(0.2 * USD);
  });

  it("covers what is billed for whatever was ordered", () => {
    const orders = fc.record({
      count: fc.integer({ min: 1, max: 10 }),
      partials: fc.integer({ min: 0, max: 3 }),
      prompt: fc.string(),
      references: fc.integer({ min: 0, max: 16 }),
      size: fc.constantFrom(null, "auto", "1024x1024", "1536x1024", "512x512", "3840x2160"),
      quality: fc.constantFrom(null, "auto", "low", "medium", "high", "standard", "hd"),
    });
    const models = fc.constantFrom("delta-image-2", "delta-image-1", "epsilon-2", "epsilon-3", "gemini-3-pro-image");
    fc.assert(
      fc.property(orders, models, fc.nat(10), (order, model, came) => {
        const price = priceOf(model, order);
        const images = Math.min(came, order.count);
        const billed = priceUnits(getImageBill({ image: images }, price, order).units, price).nano;
        expect(billed).not.toBeNull();
        expect(billed ?? 0).toBeLessThanOrEqual(computeImageHold(order, price));
        const streamed = priceUnits(streamedUnits(order, images, images * order.partials, price), price).nano;
        expect(streamed ?? 0).toBeLessThanOrEqual(computeImageHold(order, price));
      }),
    );
  });
});

describe("the bill", () => {
  const perImage = priceOf("epsilon-3", ORDER);
  const perToken = priceOf("delta-image-2", ORDER);

  it.each([
    ["images where they are priced", { image: 2, input: 9, image_output: 99 }, perImage, { image: 2 }, false],
    [
      "tokens where they are priced",
      { image: 2, input: 9, image_output: 99 },
      perToken,
      { input: 9, image_output: 99 },
      false,
    ],
    ["everything where nothing is priced", { image: 2, input: 9 }, null, { image: 2, input: 9 }, false],
    ["estimated tokens where none are told", { image: 2 }, perToken, { input: 3, image_output: 2 * 6_240 }, true],
    [
      "words where a model answered with words alone",
      { image: 0, input: 9, output: 5 },
      perToken,
      { input: 9, output: 5 },
      false,
    ],
    ["nothing where nothing came", { image: 0 }, perToken, {}, false],
  ])("is by %s", (_what, reported, price, units, estimated) => {
    expect(getImageBill(reported, price, ORDER)).toEqual({ units, estimated });
  });

  it("of a stream without usage is by what came", () => {
    expect(streamedUnits(ORDER, 0, 2, perToken)).toEqual({ input: 3, image_output: 200 });
    expect(streamedUnits({ ...ORDER, quality: "low", partials: 2 }, 1, 2, perToken)).toEqual({
      input: 3,
      image_output: 408 + 200,
    });
    expect(streamedUnits(ORDER, 2, 0, null)).toEqual({ image: 2 });
    expect(streamedUnits(ORDER, 0, 2, perImage)).toEqual({});
  });
});
