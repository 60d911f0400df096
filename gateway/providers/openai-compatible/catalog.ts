import type { Abilities, ModelSpec, Reasoning } from "../../core/models/model.ts";
import { listEntries, usdPerMillion } from "../../core/models/catalog-entry.ts";
import type { UsdRates } from "../../core/models/catalog-entry.ts";
import { getUsdPerHour } from "../../core/models/media-prices.ts";
import { GENAI_PRICES, GENAI_PRICES_NOVEMBER, GENAI_PRICES_SOUND, LITELLM } from "../../core/models/price-sources.ts";
import type { TranscriptionRules } from "../../core/transcription/transcription-rules.ts";

/** Providers with OpenAI's protocol, used through an `openai-compatible` connection. */

/** Thinks; whether and which effort values it takes is left to its provider. */
const THINKS: Reasoning = { efforts: [], dropsSampling: false };
/** docs/providers/openai-compatible.md#what-models-take */
const SEES: Abilities = { pictures: true };
const price = (rates: UsdRates) => usdPerMillion(GENAI_PRICES, rates);
const priceOfNovember = (rates: UsdRates) => usdPerMillion(GENAI_PRICES_NOVEMBER, rates);

/** The day of 3.1 is that on which price lists had it (platform.kimi.ai/docs/pricing/chat, by LiteLLM 1.110.2). */
const moonshot = listEntries("moonshot", [
  {
    id: "kimi-k3.1-pro",
    name: "Kimi K3.1 Pro",
    released: "2026-11-28",
    context: 1_048_576,
    output: null,
    reasoning: THINKS,
    price: priceOfNovember({ input: 2, cached_input: 0.2, cache_write: 2, cache_write_1h: 4, output: 10 }),
  },
  {
    id: "kimi-k3.1-pro-highspeed",
    name: "Kimi K3.1 Pro (fast)",
    released: "2026-11-28",
    context: 1_048_576,
    output: null,
    reasoning: THINKS,
    price: priceOfNovember({ input: 4, cached_input: 0.2, cache_write: 4, cache_write_1h: 8, output: 20 }),
  },
  {
    id: "kimi-k3",
    name: "Kimi K3",
    released: "2026-07-14",
    context: 1_048_576,
    output: null,
    reasoning: THINKS,
    abilities: SEES,
    price: priceOfNovember({ input: 3, cached_input: 0.3, cache_write: 3, cache_write_1h: 6, output: 15 }),
  },
  {
    id: "kimi-k2.7-code",
    name: "Kimi K2.7 Code",
    released: "2026-06-12",
    context: 262_144,
    output: null,
    reasoning: THINKS,
    price: price({ input: 0.95, cached_input: 0.19, output: 4 }),
  },
  {
    id: "kimi-k2.6",
    name: "Kimi K2.6",
    released: "2026-04-20",
    context: 262_144,
    output: null,
    reasoning: THINKS,
    abilities: SEES,
    price: price({ input: 0.95, cached_input: 0.16, output: 4 }),
  },
  {
    id: "kimi-k2.5",
    name: "Kimi K2.5",
    released: "2026-01-27",
    context: 262_144,
    output: null,
    reasoning: THINKS,
    abilities: SEES,
    price: price({ input: 0.6, cached_input: 0.1, output: 3 }),
  },
]);

/** Flash and FlashX: docs.z.ai/guides/overview/pricing, by LiteLLM 1.110.2 and genai-prices. */
const zhipu = listEntries("zhipu", [
  {
    id: "glm-5.3-flash",
    name: "GLM-5.3 Flash",
    released: "2026-08-25",
    context: 1_000_000,
    output: 131_072,
    reasoning: THINKS,
    price: priceOfNovember({ input: 0.15, cached_input: 0.03, output: 0.5 }),
  },
  {
    id: "glm-5.3-flashx",
    name: "GLM-5.3 FlashX",
    released: "2026-08-25",
    context: 1_000_000,
    output: 131_072,
    reasoning: THINKS,
    price: priceOfNovember({ input: 0.37, cached_input: 0.075, output: 1.25 }),
  },
  {
    id: "glm-5.3",
    name: "GLM-5.3",
    released: "2026-08-25",
    context: 1_000_000,
    output: 131_072,
    reasoning: THINKS,
    price: price({ input: 1.4, cached_input: 0.26, output: 4.4 }),
  },
  {
    id: "glm-5.2",
    name: "GLM-5.2",
    released: "2026-06-13",
    context: 1_000_000,
    output: 131_072,
    reasoning: THINKS,
    abilities: { tools: true, json_schema: true },
    price: price({ input: 1.4, cached_input: 0.26, output: 4.4 }),
  },
  {
    id: "glm-5",
    name: "GLM-5",
    released: "2026-02-11",
    context: 200_000,
    output: 131_072,
    reasoning: THINKS,
    abilities: { pictures: false },
    price: usdPerMillion(LITELLM, { input: 1, cached_input: 0.2, output: 3.2 }),
  },
]);

const minimax = listEntries("minimax", [
  // The day is that on which price lists had it.
  {
    id: "minimax-m3.1-flash",
    upstreamId: "MiniMax-M3.1-Flash",
    name: "MiniMax M3.1 Flash",
    released: "2026-11-24",
    context: 1_000_000,
    output: null,
    reasoning: THINKS,
    price: priceOfNovember({ input: 0.15, cached_input: 0.015, output: 0.6 }),
  },
  {
    id: "minimax-m3",
    upstreamId: "MiniMax-M3",
    name: "MiniMax M3",
    released: "2026-06-01",
    context: 1_000_000,
    output: null,
    reasoning: THINKS,
    abilities: SEES,
    price: usdPerMillion(
      GENAI_PRICES,
      { input: 0.3, cached_input: 0.06, output: 1.2 },
      { above: 512_000, rates: { input: 0.6, cached_input: 0.12, output: 2.4 } },
    ),
  },
  {
    id: "minimax-m2.7",
    upstreamId: "MiniMax-M2.7",
    name: "MiniMax M2.7",
    released: "2026-03-18",
    context: 204_800,
    output: null,
    reasoning: THINKS,
    price: price({ input: 0.3, cached_input: 0.06, cache_write: 0.375, output: 1.2 }),
  },
  {
    id: "minimax-m2.5",
    upstreamId: "MiniMax-M2.5",
    name: "MiniMax M2.5",
    released: "2026-02-12",
    context: 204_800,
    output: null,
    reasoning: THINKS,
    price: usdPerMillion(LITELLM, { input: 0.3, cached_input: 0.03, cache_write: 0.375, output: 1.2 }),
  },
]);

/**
 * Min billed seconds per request of Whisper at Groq (https://console.groq.com/docs/speech-to-text, read 2026-11-24 in
 * copies). Accepted files depend on the plan, so Groq checks them.
 */
const LEAST_SECONDS = 10;
const whisper: TranscriptionRules = {
  formats: ["json", "verbose_json"],
  most: Infinity,
  prompt: true,
  logprobs: false,
};

const groq = listEntries("groq", [
  {
    id: "whisper-large-v3-turbo",
    name: "Whisper Large v3 Turbo",
    released: "2024-10-01",
    context: null,
    output: null,
    capabilities: ["transcription"],
    transcription: whisper,
    price: getUsdPerHour(GENAI_PRICES_SOUND, 0.04, LEAST_SECONDS),
  },
  {
    id: "whisper-large-v3",
    name: "Whisper Large v3",
    released: "2023-11-06",
    context: null,
    output: null,
    capabilities: ["transcription", "translation"],
    transcription: whisper,
    price: getUsdPerHour(GENAI_PRICES_SOUND, 0.111, LEAST_SECONDS),
  },
]);

export const catalog: readonly ModelSpec[] = [...moonshot, ...zhipu, ...minimax, ...groq];
