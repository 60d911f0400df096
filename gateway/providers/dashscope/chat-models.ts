import type { Abilities, Price, Reasoning } from "../../core/models/model.ts";
import { usdPerMillion } from "../../core/models/catalog-entry.ts";
import type { Entry, PriceSource, UsdRates } from "../../core/models/catalog-entry.ts";
import { LITELLM, LITELLM_NOVEMBER } from "../../core/models/price-sources.ts";

/**
 * Alibaba DashScope (Model Studio): the Qwen chat models. Prices are those of the international region, USD. Most
 * think or not by `enable_thinking` and take no effort; the values of those that do are left to DashScope.
 */

/** Quoted by apidog.com from Alibaba's release post; what cached input costs, by LiteLLM 1.110.2, read 2026-11-28. */
const QWEN_AUGUST: PriceSource = {
  source: "Alibaba's Qwen3.8 release post, as apidog.com quotes it",
  as_of: "2026-08-10",
};

const THINKS: Reasoning = { efforts: [], dropsSampling: false };

/** docs/providers/dashscope.md#what-models-take */
const WORDS: Abilities = { pictures: false };

type QwenRates = UsdRates & { readonly input: number };

/**
 * Cached input costs a fifth of the input rate, and a cache write on request a quarter more
 * (https://www.alibabacloud.com/help/en/model-studio/context-cache). A cache that was made on request is read for a tenth,
 * which usage does not distinguish: it is billed at a fifth.
 */
const withCachedRates = (rates: QwenRates): UsdRates => ({
  cached_input: rates.input / 5,
  cache_write: rates.input * 1.25,
  ...rates,
});

function buildQwen(
  read: PriceSource,
  first: QwenRates,
  ...higher: readonly { readonly above: number; readonly rates: QwenRates }[]
): Price {
  return usdPerMillion(
    read,
    withCachedRates(first),
    ...higher.map(({ above, rates }) => ({ above, rates: withCachedRates(rates) })),
  );
}

export const chatModels: readonly Entry[] = [
  {
    id: "qwen3.8-max",
    name: "Qwen3.8 Max",
    released: "2026-08-03",
    context: 1_000_000,
    output: 65_536,
    reasoning: { efforts: ["low", "medium", "xhigh"], dropsSampling: false },
    price: buildQwen(QWEN_AUGUST, { input: 2, cached_input: 0.25, output: 6 }),
  },
  {
    id: "qwen3.8-flash",
    name: "Qwen3.8 Flash",
    released: "2026-08-03",
    context: 991_808,
    output: 131_072,
    reasoning: THINKS,
    price: buildQwen(LITELLM_NOVEMBER, { input: 0.15, cached_input: 0.016, cache_write: 0.2, output: 0.47 }),
  },
  // The days of this one and the next are guesses from their versions.
  {
    id: "qwen3.7-plus",
    name: "Qwen3.7 Plus",
    released: "2026-06-01",
    context: 991_808,
    output: 65_536,
    reasoning: THINKS,
    price: buildQwen(
      LITELLM_NOVEMBER,
      { input: 0.4, cached_input: 0.08, output: 1.6 },
      { above: 256_000, rates: { input: 1.2, cached_input: 0.24, output: 4.8 } },
    ),
  },
  {
    id: "qwen3.5-plus",
    name: "Qwen3.5 Plus",
    released: "2026-02-16",
    context: 991_808,
    output: 65_536,
    reasoning: THINKS,
    price: buildQwen(
      LITELLM_NOVEMBER,
      { input: 0.4, output: 2.4 },
      { above: 256_000, rates: { input: 0.5, output: 3 } },
    ),
  },
  {
    id: "qwen3.7-max",
    name: "Qwen3.7 Max",
    released: "2026-05-20",
    context: 991_808,
    output: 65_536,
    reasoning: THINKS,
    price: buildQwen(LITELLM, { input: 2.5, cached_input: 0.5, output: 7.5 }),
  },
  {
    id: "qwen3-max",
    name: "Qwen3 Max",
    released: "2025-09-23",
    context: 258_048,
    output: 65_536,
    abilities: WORDS,
    price: buildQwen(
      LITELLM,
      { input: 1.2, output: 6 },
      { above: 32_000, rates: { input: 2.4, output: 12 } },
      { above: 128_000, rates: { input: 3, output: 15 } },
    ),
  },
  {
    id: "qwen-max",
    name: "Qwen Max",
    released: "2025-01-25",
    context: 30_720,
    output: 8_192,
    abilities: WORDS,
    price: buildQwen(LITELLM, { input: 1.6, output: 6.4 }),
  },
  {
    id: "qwen-plus",
    name: "Qwen Plus",
    released: "2025-01-25",
    context: 129_024,
    output: 16_384,
    reasoning: THINKS,
    price: buildQwen(LITELLM, { input: 0.4, output: 1.2, reasoning: 4 }),
  },
  {
    id: "qwen-flash",
    name: "Qwen Flash",
    released: "2025-07-28",
    context: 997_952,
    output: 32_768,
    reasoning: THINKS,
    price: buildQwen(LITELLM, { input: 0.05, output: 0.4 }, { above: 256_000, rates: { input: 0.25, output: 2 } }),
  },
  {
    id: "qwen-turbo",
    name: "Qwen Turbo",
    released: "2024-11-01",
    context: 129_024,
    output: 16_384,
    reasoning: THINKS,
    abilities: WORDS,
    price: buildQwen(LITELLM, { input: 0.05, output: 0.2, reasoning: 0.5 }),
  },
  {
    id: "qwen3-coder-plus",
    name: "Qwen3 Coder Plus",
    released: "2025-07-22",
    context: 997_952,
    output: 65_536,
    abilities: WORDS,
    price: buildQwen(
      LITELLM,
      { input: 1, output: 5 },
      { above: 32_000, rates: { input: 1.8, output: 9 } },
      { above: 128_000, rates: { input: 3, output: 15 } },
      { above: 256_000, rates: { input: 6, output: 60 } },
    ),
  },
];
