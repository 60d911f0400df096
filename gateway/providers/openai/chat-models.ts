import type { Abilities, Price, Reasoning } from "../../core/models/model.ts";
import { usdPerMillion } from "../../core/models/catalog-entry.ts";
import type { Entry, PriceSource, UsdRates } from "../../core/models/catalog-entry.ts";
import { TOOL_FEES } from "./earlier-models.ts";
import { buildTiersOfService } from "./service-tiers.ts";
import { GENAI_PRICES } from "../../core/models/price-sources.ts";

/**
 * OpenAI's GPT models on `/v1/chat/completions`. Accepted `reasoning_effort` values: OpenAI's reference for
 * `reasoning_effort` and its 400 answers ("Supported values are: …"); prices and limits:
 * docs/providers/openai.md#prices and the sources named with each.
 */

const OPENAI_OCTOBER: PriceSource = { source: "developers.openai.com/api/docs/pricing", as_of: "2026-10-26" };

/** https://docs.laozhang.ai, read 2026-11-18; the page itself was not read. */
const OPENAI_NOVEMBER: PriceSource = { source: "docs.laozhang.ai", as_of: "2026-11-18" };

const buildEffort = (...efforts: readonly string[]): Reasoning => ({ efforts, dropsSampling: true });

const MINIMAL_TO_HIGH = buildEffort("minimal", "low", "medium", "high");
const NONE_TO_HIGH = buildEffort("none", "low", "medium", "high");
const NONE_TO_XHIGH = buildEffort("none", "low", "medium", "high", "xhigh");
const LOW_TO_MAX = buildEffort("low", "medium", "high", "xhigh", "max");
const NONE_TO_MAX = buildEffort("none", "low", "medium", "high", "xhigh", "max");
const MEDIUM_TO_XHIGH = buildEffort("medium", "high", "xhigh");
const LOW_TO_XHIGH = buildEffort("low", "medium", "high", "xhigh");
const ONLY_HIGH = buildEffort("high");

/** Longer prompts cost twice the input rates and one and a half times the output rate, for the whole request. */
const LONG_PROMPT = 272_000;

/**
 * Searches on Responses, $10 for a thousand, and cache writes of 12 hours, twice the rate of shorter ones (openai-python 3.45.0,
 * `prompt_cache_options.ttl`; LiteLLM 1.110.2, `search_context_cost_per_query` and `…_above_12hr`, read 2026-11-28).
 */
const withFees = (rates: UsdRates): UsdRates => ({
  ...rates,
  ...(rates.cache_write === undefined ? {} : { cache_write_1h: rates.cache_write * 2 }),
  web_search: 10_000,
  ...TOOL_FEES,
});

function flat(rates: UsdRates): Price {
  return usdPerMillion(GENAI_PRICES, withFees(rates));
}

function withTiers(
  rates: UsdRates & { readonly input: number; readonly output: number },
  read: PriceSource = GENAI_PRICES,
): Price {
  const { output, ...inputs } = rates;
  const doubled = Object.fromEntries(Object.entries(inputs).map(([unit, usd]) => [unit, usd * 2]));
  const longer: UsdRates = { ...doubled, output: output * 1.5 };
  return usdPerMillion(read, withFees(rates), { above: LONG_PROMPT, rates: withFees(longer) });
}

const MILLION = { context: 1_050_000, output: 128_000 } as const;
const LARGE = { context: 400_000, output: 128_000 } as const;

/** Abilities by docs/providers/openai.md#what-models-take; undocumented ones are omitted. */
const SEES: Abilities = { pictures: true };
const LATEST: Abilities = { pictures: true, tools: true, web_search: true };

export const chatModels: readonly Entry[] = [
  // Both reject `none` and `minimal` (https://github.com/BerriAI/litellm/discussions/52347, read 2026-11-28).
  {
    id: "gpt-6.2-astra",
    name: "GPT-6.2 Astra",
    released: "2026-11-17",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    abilities: LATEST,
    price: buildTiersOfService(
      withTiers({ input: 8, cached_input: 0.4, cache_write: 10, output: 40 }, OPENAI_NOVEMBER),
      2,
    ),
  },
  {
    id: "gpt-6.2-sol",
    name: "GPT-6.2 Sol",
    released: "2026-11-17",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    abilities: LATEST,
    price: buildTiersOfService(
      withTiers({ input: 2, cached_input: 0.1, cache_write: 2.5, output: 10 }, OPENAI_NOVEMBER),
      2,
    ),
  },
  {
    id: "gpt-6-astra",
    name: "GPT-6 Astra",
    released: "2026-09-03",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    abilities: LATEST,
    price: buildTiersOfService(withTiers({ input: 10, cached_input: 1, cache_write: 12.5, output: 50 }), 2, 6),
  },
  {
    id: "gpt-6.1-sol",
    name: "GPT-6.1 Sol",
    released: "2026-09-29",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    abilities: LATEST,
    price: buildTiersOfService(
      withTiers({ input: 2, cached_input: 0.1, cache_write: 2.5, output: 10 }, OPENAI_OCTOBER),
      2,
      6,
    ),
  },
  {
    id: "gpt-6.1-terra",
    name: "GPT-6.1 Terra",
    released: "2026-10-26",
    ...MILLION,
    reasoning: NONE_TO_MAX,
    abilities: LATEST,
    price: buildTiersOfService(
      withTiers({ input: 1, cached_input: 0.05, cache_write: 1.25, output: 5 }, OPENAI_OCTOBER),
      2,
    ),
  },
  {
    id: "gpt-6-sol",
    name: "GPT-6 Sol",
    released: "2026-09-22",
    ...MILLION,
    reasoning: NONE_TO_MAX,
    price: buildTiersOfService(withTiers({ input: 2, cached_input: 0.2, cache_write: 2.5, output: 10 }), 2),
  },
  {
    id: "gpt-6-luna",
    name: "GPT-6 Luna",
    released: "2026-09-22",
    ...MILLION,
    reasoning: NONE_TO_MAX,
    abilities: LATEST,
    price: buildTiersOfService(withTiers({ input: 0.1, cached_input: 0.01, cache_write: 0.125, output: 0.5 }), 2),
  },
  {
    id: "gpt-5.6",
    name: "GPT-5.6 Sol",
    released: "2026-07-07",
    ...MILLION,
    reasoning: NONE_TO_XHIGH,
    aliases: ["gpt-5.6-sol"],
    abilities: LATEST,
    price: buildTiersOfService(withTiers({ input: 4, cached_input: 0.4, cache_write: 5, output: 20 }), 2),
  },
  {
    id: "gpt-5.6-terra",
    name: "GPT-5.6 Terra",
    released: "2026-07-07",
    ...MILLION,
    reasoning: NONE_TO_XHIGH,
    abilities: LATEST,
    price: buildTiersOfService(withTiers({ input: 2, cached_input: 0.2, cache_write: 2.5, output: 12 }), 2),
  },
  {
    id: "gpt-5.6-luna",
    name: "GPT-5.6 Luna",
    released: "2026-07-07",
    ...MILLION,
    reasoning: NONE_TO_XHIGH,
    abilities: LATEST,
    price: buildTiersOfService(withTiers({ input: 0.2, cached_input: 0.02, cache_write: 0.25, output: 1.2 }), 2),
  },
  {
    id: "gpt-5.5",
    name: "GPT-5.5",
    released: "2026-04-23",
    ...MILLION,
    reasoning: NONE_TO_XHIGH,
    abilities: LATEST,
    price: buildTiersOfService(withTiers({ input: 5, cached_input: 0.5, output: 30 }), 2.5),
  },
  {
    id: "gpt-5.5-pro",
    name: "GPT-5.5 pro",
    released: "2026-04-23",
    ...MILLION,
    reasoning: MEDIUM_TO_XHIGH,
    price: buildTiersOfService(withTiers({ input: 30, output: 180 })),
  },
  {
    id: "gpt-5.4",
    name: "GPT-5.4",
    released: "2026-03-05",
    ...MILLION,
    reasoning: NONE_TO_XHIGH,
    abilities: LATEST,
    price: buildTiersOfService(withTiers({ input: 2.5, cached_input: 0.25, output: 15 }), 2),
  },
  {
    id: "gpt-5.4-pro",
    name: "GPT-5.4 pro",
    released: "2026-03-05",
    ...MILLION,
    reasoning: MEDIUM_TO_XHIGH,
    price: buildTiersOfService(withTiers({ input: 30, output: 180 })),
  },
  {
    id: "gpt-5.4-mini",
    name: "GPT-5.4 mini",
    released: "2026-03-17",
    ...LARGE,
    reasoning: NONE_TO_XHIGH,
    abilities: LATEST,
    price: buildTiersOfService(flat({ input: 0.75, cached_input: 0.075, output: 4.5 }), 2),
  },
  {
    id: "gpt-5.4-nano",
    name: "GPT-5.4 nano",
    released: "2026-03-17",
    ...LARGE,
    reasoning: NONE_TO_XHIGH,
    abilities: SEES,
    price: buildTiersOfService(flat({ input: 0.2, cached_input: 0.02, output: 1.25 })),
  },
  {
    id: "gpt-5.3-codex",
    name: "GPT-5.3 Codex",
    released: "2026-02-05",
    ...LARGE,
    reasoning: LOW_TO_XHIGH,
    abilities: SEES,
    price: buildTiersOfService(flat({ input: 1.75, cached_input: 0.175, output: 14 }), 2),
  },
  {
    id: "gpt-5.2",
    name: "GPT-5.2",
    released: "2025-12-11",
    ...LARGE,
    reasoning: NONE_TO_XHIGH,
    abilities: SEES,
    price: buildTiersOfService(flat({ input: 1.75, cached_input: 0.175, output: 14 }), 2),
  },
  {
    id: "gpt-5.2-pro",
    name: "GPT-5.2 pro",
    released: "2025-12-11",
    ...LARGE,
    reasoning: MEDIUM_TO_XHIGH,
    price: buildTiersOfService(flat({ input: 21, output: 168 })),
  },
  {
    id: "gpt-5.1",
    name: "GPT-5.1",
    released: "2025-11-13",
    ...LARGE,
    reasoning: NONE_TO_HIGH,
    price: buildTiersOfService(flat({ input: 1.25, cached_input: 0.125, output: 10 }), 2),
  },
  {
    id: "gpt-5",
    name: "GPT-5",
    released: "2025-08-07",
    ...LARGE,
    reasoning: MINIMAL_TO_HIGH,
    abilities: SEES,
    price: buildTiersOfService(flat({ input: 1.25, cached_input: 0.125, output: 10 }), 2),
  },
  {
    id: "gpt-5-mini",
    name: "GPT-5 mini",
    released: "2025-08-07",
    ...LARGE,
    reasoning: MINIMAL_TO_HIGH,
    abilities: SEES,
    price: buildTiersOfService(flat({ input: 0.25, cached_input: 0.025, output: 2 }), 1.8),
  },
  {
    id: "gpt-5-nano",
    name: "GPT-5 nano",
    released: "2025-08-07",
    ...LARGE,
    reasoning: MINIMAL_TO_HIGH,
    abilities: SEES,
    price: buildTiersOfService(flat({ input: 0.05, cached_input: 0.005, output: 0.4 })),
  },
  {
    id: "gpt-5-pro",
    name: "GPT-5 pro",
    released: "2025-10-06",
    ...LARGE,
    reasoning: ONLY_HIGH,
    price: buildTiersOfService(flat({ input: 15, output: 120 })),
  },
  // The one gpt-5 that does not reason: it takes the sampling parameters.
  {
    id: "gpt-5-chat-latest",
    name: "GPT-5 Chat",
    released: "2025-08-07",
    context: 128_000,
    output: 16_384,
    abilities: SEES,
    price: buildTiersOfService(flat({ input: 1.25, cached_input: 0.125, output: 10 })),
  },
];
