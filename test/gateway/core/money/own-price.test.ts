import { expect, test } from "vitest";
import { mostRate, mostUsd, ownUnits, setPriceSchema, type OwnRates } from "../../../../gateway/contract/model-view.ts";
import type { Capability } from "../../../../gateway/core/models/model.ts";
import { priceGap, priceTooHigh } from "../../../../gateway/core/money/own-price.ts";
import { computePrice } from "../../../../gateway/lib/money.ts";

test.each<[string, readonly Capability[], OwnRates, RegExp | null]>([
  ["a conversation has both sides priced", ["chat", "messages"], { input: 1, output: 2 }, null],
  ["zero is a price", ["chat"], { input: 0, output: 0 }, null],
  ["cached tokens may be left to the fallback", ["chat"], { input: 1, output: 2, cached_input: 1 }, null],
  ["a conversation without a price of answers", ["chat"], { input: 1 }, /input tokens and output tokens/],
  ["a conversation priced by the image", ["chat"], { image: 1 }, /converses/],
  ["embeddings have no answer to price", ["embedding"], { input: 1 }, null],
  ["embeddings by the second", ["embedding"], { second: 1 }, /makes embeddings/],
  ["speech by the character", ["speech"], { character: 1 }, null],
  ["speech by the token", ["speech"], { input: 1, output: 1 }, null],
  ["speech by half of its tokens", ["speech"], { output: 1 }, /characters/],
  ["images by the piece", ["image", "image_edit"], { image: 1 }, null],
  ["images by the token", ["image"], { input: 1, image_output: 1 }, null],
  ["images by text tokens alone", ["image"], { input: 1, output: 1 }, /images/],
  ["videos by the second", ["video"], { second: 1 }, null],
  ["videos by the image", ["video"], { image: 1 }, /seconds/],
  ["one that does two things needs both", ["chat", "image"], { input: 1, output: 1 }, /makes images/],
  ["nobody knows what it does", [], { second: 1 }, null],
])("%s", (_name, capabilities, rates, gap) => {
  const found = priceGap(rates, capabilities);
  if (gap === null) expect(found).toBeNull();
  else expect(found).toMatch(gap);
});

test.each<[string, unknown]>([
  ["no rate at all", {}],
  ["a fraction of a nano dollar", { input: 0.5 }],
  ["less than nothing", { input: -1 }],
  ["more than can be counted exactly", { input: 2 ** 53 }],
  ["a unit that does not exist", { word: 1 }],
  ["a figure in words", { input: "1" }],
])("the contract refuses %s", (_name, rates) => {
  expect(setPriceSchema.safeParse({ model: "m", rates }).success).toBe(false);
});

test.each(ownUnits)("a price of %s is bounded where it is set again", (unit) => {
  const most = mostRate(unit);
  expect(priceTooHigh({ [unit]: most })).toBeNull();
  const per = ["image", "second", "web_search", "request"].includes(unit) ? "each" : "for a million";
  const sentence = expect.stringContaining(`${unit} can be at most ${mostUsd(unit)} USD ${per},`) as unknown;
  expect(priceTooHigh({ [unit]: most + 1 })).toMatchObject({ unit, sentence });
  expect(priceTooHigh({ [unit]: most + 1 }, { [unit]: most + 1 })).toBeNull();
  expect(priceTooHigh({ [unit]: most + 2 }, { [unit]: most + 1 })).toMatchObject({ unit });
  // The most tokens of a class that a provider is believed.
  expect(computePrice(1_000_000, most) / 1_000_000).toBeLessThanOrEqual(9_000_000_000);
  if (most < 1e13) expect(computePrice(1_000_000_000, most)).toBe(9_000_000_000_000_000);
});
