import type { Abilities, Price, Reasoning } from "../../core/models/model.ts";
import { usdPerMillion } from "../../core/models/catalog-entry.ts";
import type { Entry, UsdRates } from "../../core/models/catalog-entry.ts";
import { buildTiersOfService } from "./service-tiers.ts";
import { GENAI_PRICES, LITELLM_NOVEMBER } from "../../core/models/price-sources.ts";

/** OpenAI's models before gpt-5: GPT-4, the audio models and the o-series. Sources as in chat-models.ts. */

const LOW_TO_HIGH: Reasoning = { efforts: ["low", "medium", "high"], dropsSampling: true };

/** docs/providers/openai.md#what-models-take */
const SEES: Abilities = { pictures: true };

/** Searches in files, $2.50 for a thousand, and containers of 1 GB (genai-prices 0.2.3; LiteLLM 1.110.2, read 2026-11-29). */
export const TOOL_FEES = { file_search: 2_500, container: 30_000 } as const;

/** $10 for a thousand searches with reasoning, $25 without (LiteLLM 1.110.2, read 2026-11-28). */
const SEARCHED_IN_REASONING = 10_000;
const SEARCHED = 25_000;

function flat(rates: UsdRates, web_search = SEARCHED): Price {
  return usdPerMillion(GENAI_PRICES, { ...rates, web_search, ...TOOL_FEES });
}

export const earlierModels: readonly Entry[] = [
  {
    id: "gpt-4.1",
    name: "GPT-4.1",
    released: "2025-04-14",
    context: 1_047_576,
    output: 32_768,
    abilities: SEES,
    price: buildTiersOfService(flat({ input: 2, cached_input: 0.5, output: 8 }), 1.75),
  },
  {
    id: "gpt-4.1-mini",
    name: "GPT-4.1 mini",
    released: "2025-04-14",
    context: 1_047_576,
    output: 32_768,
    abilities: SEES,
    price: buildTiersOfService(flat({ input: 0.4, cached_input: 0.1, output: 1.6 }), 1.75),
  },
  {
    id: "gpt-4.1-nano",
    name: "GPT-4.1 nano",
    released: "2025-04-14",
    context: 1_047_576,
    output: 32_768,
    abilities: SEES,
    price: buildTiersOfService(flat({ input: 0.1, cached_input: 0.025, output: 0.4 }), 2),
  },
  {
    id: "gpt-4o",
    name: "GPT-4o",
    released: "2024-05-13",
    context: 128_000,
    output: 16_384,
    abilities: SEES,
    price: buildTiersOfService(flat({ input: 2.5, cached_input: 1.25, output: 10 }), 1.7),
  },
  // The first snapshot has a different price.
  {
    id: "gpt-4o-2024-05-13",
    name: "GPT-4o (2024-05-13)",
    released: "2024-05-13",
    context: 128_000,
    output: 4_096,
    abilities: SEES,
    price: buildTiersOfService(flat({ input: 5, output: 15 }), 1.75),
  },
  {
    id: "gpt-4o-mini",
    name: "GPT-4o mini",
    released: "2024-07-18",
    context: 128_000,
    output: 16_384,
    abilities: SEES,
    price: buildTiersOfService(flat({ input: 0.15, cached_input: 0.075, output: 0.6 }), 5 / 3),
  },
  {
    id: "gpt-audio-1.5",
    name: "GPT Audio 1.5",
    released: "2026-02-23",
    context: 128_000,
    output: 16_384,
    price: usdPerMillion(LITELLM_NOVEMBER, { input: 2.5, audio_input: 32, output: 10, audio_output: 64 }),
  },
  {
    id: "gpt-audio",
    name: "GPT Audio",
    released: "2025-08-28",
    context: 128_000,
    output: 16_384,
    price: usdPerMillion(GENAI_PRICES, { input: 2.5, audio_input: 32, output: 10, audio_output: 64 }),
  },
  {
    id: "gpt-audio-mini",
    name: "GPT Audio mini",
    released: "2025-10-06",
    context: 128_000,
    output: 16_384,
    price: usdPerMillion(GENAI_PRICES, { input: 0.6, audio_input: 10, output: 2.4, audio_output: 20 }),
  },
  {
    id: "o3",
    name: "o3",
    released: "2025-04-16",
    context: 200_000,
    output: 100_000,
    reasoning: LOW_TO_HIGH,
    abilities: { pictures: true, tools: true },
    price: buildTiersOfService(flat({ input: 2, cached_input: 0.5, output: 8 }, SEARCHED_IN_REASONING), 1.75),
  },
  {
    id: "o3-mini",
    name: "o3-mini",
    released: "2025-01-31",
    context: 200_000,
    output: 100_000,
    reasoning: LOW_TO_HIGH,
    abilities: { pictures: false, tools: true, json_schema: true },
    price: buildTiersOfService(flat({ input: 1.1, cached_input: 0.55, output: 4.4 }, SEARCHED_IN_REASONING)),
  },
  {
    id: "o4-mini",
    name: "o4-mini",
    released: "2025-04-16",
    context: 200_000,
    output: 100_000,
    reasoning: LOW_TO_HIGH,
    abilities: { pictures: true, tools: true },
    price: buildTiersOfService(flat({ input: 1.1, cached_input: 0.275, output: 4.4 }, SEARCHED_IN_REASONING), 20 / 11),
  },
  {
    id: "o1",
    name: "o1",
    released: "2024-12-17",
    context: 200_000,
    output: 100_000,
    reasoning: LOW_TO_HIGH,
    abilities: SEES,
    price: buildTiersOfService(flat({ input: 15, cached_input: 7.5, output: 60 }, SEARCHED_IN_REASONING)),
  },
];
