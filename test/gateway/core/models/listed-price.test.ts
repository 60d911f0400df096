import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listedPrice } from "../../../../gateway/core/models/listed-price.ts";
import type { Price, Units } from "../../../../gateway/core/models/model.ts";
import { priceUnits } from "../../../../gateway/core/money/price.ts";

const BASE = { prompt: "0.000005", completion: "0.000025" };
const priced = (pricing: object): Price | null => {
  const price = listedPrice({ ...BASE, ...pricing });
  return price === null ? null : { ...price, source: "list", as_of: "2026-11-22" };
};
const cost = (pricing: object, units: Units): number | null => {
  const price = priced(pricing);
  return price === null ? null : priceUnits(units, price).nano;
};
const usd = (amount: number): number => Math.round(amount * 1e9);

describe("a list of OpenRouter's kind", () => {
  it("sells an agent's cached prompt for what it costs", () => {
    const pricing = { input_cache_read: "0.0000005", input_cache_write: "0.00000625", input_cache_write_1h: "0.00001" };
    expect(cost(pricing, { input: 1_000, cached_input: 100_000, output: 500 })).toBe(usd(0.0675));
    expect(cost(pricing, { cache_write: 1_000_000, cache_write_1h: 1_000_000 })).toBe(usd(16.25));
  });

  it.each<[string, object, Units, number | null]>([
    ["reasoning of its own", { internal_reasoning: "0.00001" }, { reasoning: 1_000_000 }, usd(10)],
    ["no reasoning of its own", { internal_reasoning: "0" }, { reasoning: 1_000_000 }, usd(25)],
    ["a fee for a request", { request: "0.01" }, { input: 1_000 }, usd(0.005 + 0.01)],
    ["no fee", { request: "0" }, { input: 1_000 }, usd(0.005)],
    ["audio", { audio: "0.00001" }, { audio_input: 1_000_000 }, usd(10)],
    ["cached audio", { input_audio_cache: "0.000001" }, { cached_audio_input: 1_000_000 }, usd(1)],
    ["audio out", { audio_output: "0.00008" }, { audio_output: 1_000_000 }, usd(80)],
    ["no audio, as words", {}, { audio_input: 10 }, usd(0.000_05)],
    ["no audio, written as 0, as words", { audio: "0" }, { audio_input: 10 }, usd(0.000_05)],
    ["images by the token", { image_token: "0.000001" }, { image_input: 1_000_000 }, usd(1)],
    ["images that are words", { image: "0.000005" }, { image_input: 1_000_000 }, usd(5)],
    ["images that are drawn", { image_output: "0.00003" }, { image_output: 1_000_000 }, usd(30)],
    ["a search", { web_search: "0.01" }, { web_search: 3 }, usd(0.03)],
    ["a price that is a number", { prompt: 0.000001 }, { input: 1_000_000 }, usd(1)],
  ])("%s", (_, pricing, units, nano) => {
    expect(cost(pricing, units)).toBe(nano);
  });

  it("says that the full price is the most where a discount is not listed", () => {
    const price = priced({});
    expect(price === null ? null : priceUnits({ cached_input: 1_000_000 }, price)).toMatchObject({
      nano: usd(5),
      estimated: true,
    });
  });

  it("has tiers by the length of the prompt, from the listed number on, the last word by field", () => {
    const overrides = [
      { min_prompt_tokens: 500_000, prompt: "0.00003" },
      { min_prompt_tokens: 200_000, prompt: "0.00001", completion: "0.00005" },
    ];
    expect(priced({ input_cache_read: "0.0000005", overrides })?.tiers).toEqual([
      { above: 0, rates: { input: usd(5), output: usd(25), cached_input: usd(0.5) } },
      { above: 199_999, rates: { input: usd(10), output: usd(50), cached_input: usd(0.5) } },
      { above: 499_999, rates: { input: usd(10), output: usd(50), cached_input: usd(0.5) } },
    ]);
  });

  it.each([
    ["images by the piece", { image: "0.003" }, ["image"]],
    ["what is seen", { input_video: "0.001" }, ["video"]],
    ["files", { file_page: "0.001" }, ["file"]],
  ])("knows that usage does not tell %s", (_, pricing, unmetered) => {
    expect(priced(pricing)).toMatchObject({ unmetered });
  });

  it("is free for good where all of it is", () => {
    expect(listedPrice({ prompt: "0", completion: "0", image: "0", request: "0" })).toEqual({
      tiers: [{ above: 0, rates: { input: 0, output: 0 } }],
      always: true,
    });
  });

  it.each([
    ["varies", { prompt: "-1", completion: "-1" }],
    ["has a discount", { discount: 0.25 }],
    ["hangs on the time of day", { overrides: [{ utc_start: 1_200, utc_end: 1_400, prompt: "0.1" }] }],
    ["hangs on both", { overrides: [{ min_prompt_tokens: 5, utc_start: 1_200, prompt: "0.1" }] }],
    ["has a fee that nobody knows", { per_thought: "0.1" }],
    ["has a word for a figure", { input_cache_read: "cheap" }],
    ["lacks the answer's", { completion: undefined }],
    ["has bands that are none", { overrides: { min_prompt_tokens: 5 } }],
  ])("is no price where it %s", (_, pricing) => {
    expect(priced(pricing)).toBeNull();
  });

  it("takes fields without a figure for fields that are not there", () => {
    expect(priced({ per_thought: null, audio: null, discount: 0, overrides: [] })).not.toBeNull();
  });
});

it("takes anything for a price, and every rate is whole and not negative", () => {
  const value = fc.oneof(fc.jsonValue(), fc.double().map(String), fc.constantFrom("0", "0.000001", "-1"));
  const field = fc.constantFrom("prompt", "completion", "image", "request", "overrides", "discount", "audio", "x");
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(field, value)), (pricing) => {
      for (const { above, rates } of listedPrice(pricing)?.tiers ?? []) {
        expect(Number.isSafeInteger(above) && above >= 0).toBe(true);
        for (const rate of Object.values(rates)) expect(Number.isSafeInteger(rate) && rate >= 0).toBe(true);
      }
    }),
  );
});
