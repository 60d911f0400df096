import { listEntries, usdPerMillion } from "../../core/models/catalog-entry.ts";
import type { Entry } from "../../core/models/catalog-entry.ts";
import type { Abilities, ModelSpec, Reasoning } from "../../core/models/model.ts";
import { getUsdPerHour } from "../../core/models/media-prices.ts";
import { GENAI_PRICES, GENAI_PRICES_SOUND, LITELLM_NOVEMBER } from "../../core/models/price-sources.ts";
import type { TranscriptionRules } from "../../core/transcription/transcription-rules.ts";

/**
 * Mistral's models. What was found in the cache costs a tenth of the input rate
 * (https://docs.mistral.ai/studio-api/conversations/advanced/prompt-caching, read 2026-11-23); writing to it is free.
 */

/** https://docs.mistral.ai/capabilities/reasoning/adjustable, read 2026-11-23. */
const ON_REQUEST: Reasoning = { efforts: ["none", "high"], dropsSampling: false };

/** Abilities by docs/providers/mistral.md#what-models-take; others come from Mistral's own list. */
const SEES: Abilities = { pictures: true };

const price = (input: number, output: number) =>
  usdPerMillion(GENAI_PRICES, { input, cached_input: input / 10, output });

const small = (id: string, name: string, released: string, usd: readonly [input: number, output: number]): Entry => ({
  id,
  name,
  released,
  context: 256_000,
  output: null,
  price: price(...usd),
});

/** Mistral reports no confidence, and its documented max file size is never reached. */
const VOXTRAL: TranscriptionRules = {
  formats: ["json", "verbose_json", "diarized_json"],
  most: Infinity,
  prompt: true,
  logprobs: false,
};

const voxtral = (id: string, name: string, released: string, usdOfAnHour: number): Entry => ({
  id,
  name,
  released,
  context: null,
  output: null,
  capabilities: ["transcription"],
  transcription: VOXTRAL,
  price: getUsdPerHour(GENAI_PRICES_SOUND, usdOfAnHour),
});

/** Models by docs/providers/mistral.md#transcription. The release days of the third generation are guesses. */
const transcriptionModels: readonly Entry[] = [
  // `voxtral-mini-latest` is a different model for chat than for transcription, so it has no single price: it is known
  // by name only, and unpriced.
  voxtral("voxtral-mini-2602", "Voxtral Mini Transcribe 2", "2026-02-04", 0.18),
  {
    ...voxtral("voxtral-mini-transcribe-3-0", "Voxtral Mini Transcribe 3", "2026-10-27", 0.21),
    aliases: ["voxtral-mini-transcribe-3"],
  },
  {
    ...voxtral("voxtral-small-transcribe-3-0", "Voxtral Small Transcribe 3", "2026-10-27", 0.24),
    aliases: ["voxtral-small-transcribe-3"],
  },
];

export const catalog: readonly ModelSpec[] = listEntries("mistral", [
  {
    id: "mistral-large-latest",
    name: "Mistral Large 3",
    released: "2025-12-02",
    context: 262_144,
    output: null,
    aliases: ["mistral-large-2512"],
    abilities: SEES,
    price: price(0.5, 1.5),
  },
  {
    id: "mistral-medium-latest",
    name: "Mistral Medium 3.5",
    released: "2026-04-29",
    context: 262_144,
    output: null,
    reasoning: ON_REQUEST,
    aliases: ["mistral-medium-3-5"],
    abilities: { pictures: true, tools: true },
    price: price(1.5, 7.5),
  },
  {
    id: "mistral-small-latest",
    name: "Mistral Small 4",
    released: "2026-03-16",
    context: 262_144,
    output: null,
    reasoning: ON_REQUEST,
    aliases: ["mistral-small-2603"],
    price: price(0.15, 0.6),
  },
  // A public preview. Resellers name two prices of it, and two contexts; Mistral's own page could not be read: unpriced.
  {
    id: "mistral-large-4-0",
    name: "Mistral Large 4 (preview)",
    released: "2026-10-06",
    context: null,
    output: null,
    reasoning: { efforts: [], dropsSampling: false },
    aliases: ["mistral-large-4"],
    price: usdPerMillion(LITELLM_NOVEMBER, { input: 0.7, cached_input: 0.07, output: 2.1 }),
  },
  small("devstral-2512", "Devstral 2", "2025-12-09", [0.4, 2]),
  small("codestral-2508", "Codestral", "2025-07-30", [0.3, 0.9]),
  { ...small("ministral-14b-2512", "Ministral 3 14B", "2025-12-02", [0.2, 0.2]), abilities: SEES },
  { ...small("ministral-8b-2512", "Ministral 3 8B", "2025-12-02", [0.15, 0.15]), abilities: SEES },
  { ...small("ministral-3b-2512", "Ministral 3 3B", "2025-12-02", [0.1, 0.1]), abilities: SEES },
  ...transcriptionModels,
  // Whether it costs anything could not be read: unpriced.
  {
    id: "mistral-moderation-latest",
    name: "Mistral Moderation",
    released: "2024-11-06",
    context: null,
    output: null,
    capabilities: ["moderation"],
    aliases: ["mistral-moderation-2411"],
    price: null,
  },
]);
