import { expect, it } from "vitest";
import { allModels } from "../../../../gateway/catalog/lookup.ts";
import { createPricingView } from "../../../../gateway/core/money/price-view.ts";
import { priceWords } from "../../../../gateway/mcp/tools/price-words.ts";

const known = { currency: "USD", source: "test", as_of: "2026-11-22" } as const;

it.each([
  [{ input: 2.5e-6, output: 1e-5 }, "$2.50 per 1M input tokens, $10.00 per 1M output tokens"],
  [{ input: 7.5e-8 }, "$0.075 per 1M input tokens"],
  [{ input: 1e-6, per_request: 0.005 }, "$1.00 per 1M input tokens, $0.005 per request"],
  [{ input: 1e-6, audio_input: 3e-6 }, "$1.00 per 1M input tokens, $3.00 per 1M audio input tokens"],
  [{ per_image: 0.04 }, "$0.04 per image"],
  [{ per_character: 1.5e-5 }, "$0.015 per 1,000 characters"],
  [{ per_second: { "720p": 0.1, "1080p": 0.15 } }, "$0.10 per second at 720p, $0.15 per second at 1080p"],
  [
    { input: 1e-6, tiers: [{ above: 200_000, input: 2e-6, output: 4e-6 }] },
    "$1.00 per 1M input tokens, for prompts above 200,000 tokens: $2.00 per 1M input tokens and $4.00 per 1M output tokens",
  ],
  [
    {
      per_image: 0.04,
      variants: [
        { when: { size: "a" }, per_image: 0.02 },
        { when: { size: "b" }, per_image: 0.08 },
      ],
    },
    "$0.02 to $0.08 per image by size and quality",
  ],
  [{ input: 0, output: 0 }, "free"],
])("%j is %s", (pricing, words) => {
  expect(priceWords({ ...known, ...pricing })).toBe(words);
});

it("is null for what has no known price", () => {
  expect(priceWords(null)).toBeNull();
});

it("has words for every model of the catalog that has a price", () => {
  const silent = allModels().filter(({ price }) => price !== null && priceWords(createPricingView(price)) === null);
  expect(silent.map(({ id }) => id)).toEqual([]);
  for (const { price } of allModels())
    expect(priceWords(createPricingView(price)) ?? "").not.toMatch(/NaN|Infinity|e-|\$0\.00\b/);
});
