import type { EmbeddingRules } from "../../core/embeddings/embedding-rules.ts";
import type { ImageRules } from "../../core/images/image-rules.ts";
import type { Abilities, ModelSpec, Price, Reasoning } from "../../core/models/model.ts";
import { getEndingOn, listEntries, usdPerMillion, withFactors } from "../../core/models/catalog-entry.ts";
import type { UsdRates } from "../../core/models/catalog-entry.ts";
import { GENAI_PRICES, LITELLM, LITELLM_NOVEMBER } from "../../core/models/price-sources.ts";
import type { EditRules } from "../../core/edits/edit-rules.ts";

const MIB = 1024 * 1024;

/** Gemini answers with one picture a call, in the size that belongs to a ratio. How many it looks at is a guess: 14 (3.x). */
export const geminiEdits: EditRules = {
  sizes: ["1024x1024", "1024x1536", "1536x1024"],
  qualities: [],
  images: 14,
  // A guess: requests with pictures inside are limited to 20 MB as a whole, and base64 adds a third.
  imageBytes: 14 * MIB,
  squarePng: false,
  mask: false,
  n: 1,
  prompt: 32_000,
  response: "base64",
  output: false,
  fidelity: false,
  stream: false,
};

/**
 * Google's Gemini models. They reason, and count reasoning separately from the response
 * (docs/providers/gemini.md#native-requests); the adapter adds the two. Effort values are those of Google's OpenAI
 * compatibility layer (docs/providers/gemini.md#layer-for-openai-clients); a model without one of them refuses it.
 */

const THINKS: Reasoning = { efforts: ["none", "minimal", "low", "medium", "high"], dropsSampling: false };
const CHAT = { context: 1_048_576, output: 65_536, reasoning: THINKS } as const;

/** docs/providers/gemini.md#what-models-take: nothing of files and searches, which Google's layer may not pass on. */
const SEES: Abilities = { pictures: true };
const GEMINI: Abilities = { pictures: true, tools: true, json_schema: true };

type GeminiRates = UsdRates & { readonly input: number; readonly cached_input: number };

/** Audio costs the same as text unless stated otherwise; flex processing costs half, priority 1.8 times. */
const price = (rates: GeminiRates, read = GENAI_PRICES): Price => withTiers(usdPerMillion(read, withAudioRates(rates)));

const withAudioRates = (rates: GeminiRates): UsdRates => ({
  audio_input: rates.input,
  cached_audio_input: rates.cached_input,
  ...rates,
});

/** https://ai.google.dev/gemini-api/docs/optimization; priority: LiteLLM 1.110.2, all of Google's models, read 2026-11-28. */
const withTiers = (of: Price): Price => withFactors(of, { service_tier: { flex: 0.5, batch: 0.5, priority: 1.8 } });

/** Prompts of more than 200,000 tokens cost twice the input rates and one and a half times the output rate. */
const pro = (input: number, cachedInput: number, output: number): Price =>
  withTiers(
    usdPerMillion(GENAI_PRICES, withAudioRates({ input, cached_input: cachedInput, output }), {
      above: 200_000,
      rates: withAudioRates({ input: input * 2, cached_input: cachedInput * 2, output: output * 1.5 }),
    }),
  );
/** Introductory price until the end of 2026, and the announced price after it. */
const FLASH_3_6 = getEndingOn(
  "2027-01-01",
  price({ input: 0.75, cached_input: 0.075, output: 3.75 }),
  price({ input: 1.5, cached_input: 0.15, output: 7.5 }),
);

const EMBEDDING = { output: null, capabilities: ["embedding"] } as const;
/** Vectors of gemini-embedding-001 below 3072 are not of unit length; they are passed on as they come. */
const VECTORS: EmbeddingRules = { dimensions: { least: 128, most: 3_072 }, standard: 3_072 };

const IMAGE = { context: null, output: null, capabilities: ["image", "image_edit"] } as const;
/** Gemini (docs/providers/gemini.md#images) has its own aspect ratios and sizes, and makes one image per call. */
const PICTURES: ImageRules = {
  family: "gemini",
  sizes: { kind: "any" },
  defaultSize: null,
  most: 1,
  qualities: [],
  promptLimit: null,
  references: { least: 0, most: Number.MAX_SAFE_INTEGER },
  streams: false,
};

const plain = (rates: UsdRates): Price => usdPerMillion(GENAI_PRICES, rates);

/** The price of November 2026, and the one that follows it (LiteLLM 1.110.2; dosu-ai/decant v0.13.1, read 2026-11-28). */
const ARGON = getEndingOn(
  "2026-12-01",
  price({ input: 2, cached_input: 0.1, output: 10 }, LITELLM_NOVEMBER),
  price({ input: 4, cached_input: 0.2, output: 20 }, LITELLM_NOVEMBER),
);

export const catalog: readonly ModelSpec[] = listEntries("google", [
  {
    id: "gemini-4-argon",
    name: "Gemini 4 Argon",
    released: "2026-10-13",
    ...CHAT,
    abilities: GEMINI,
    price: ARGON,
  },
  // The day is that on which price lists had it; Google's own was not found.
  {
    id: "gemini-4-hydrogen",
    name: "Gemini 4 Hydrogen",
    released: "2026-11-28",
    ...CHAT,
    abilities: GEMINI,
    price: price({ input: 1.5, cached_input: 0.075, output: 7.5 }, LITELLM_NOVEMBER),
  },
  {
    id: "gemini-3.8-flash",
    name: "Gemini 3.8 Flash",
    released: "2026-09-08",
    ...CHAT,
    abilities: GEMINI,
    price: FLASH_3_6,
  },
  {
    id: "gemini-3.7-flash",
    name: "Gemini 3.7 Flash",
    released: "2026-08-18",
    ...CHAT,
    abilities: GEMINI,
    price: FLASH_3_6,
  },
  {
    id: "gemini-3.6-flash",
    name: "Gemini 3.6 Flash",
    released: "2026-07-21",
    ...CHAT,
    abilities: GEMINI,
    price: FLASH_3_6,
  },
  {
    id: "gemini-3.5-flash",
    name: "Gemini 3.5 Flash",
    released: "2026-05-19",
    ...CHAT,
    abilities: GEMINI,
    price: price({ input: 1.5, cached_input: 0.15, output: 9 }),
  },
  {
    id: "gemini-3.5-flash-lite",
    name: "Gemini 3.5 Flash-Lite",
    released: "2026-05-19",
    ...CHAT,
    abilities: GEMINI,
    price: price({ input: 0.3, cached_input: 0.03, output: 2.5 }),
  },
  {
    id: "gemini-3.1-pro-preview",
    name: "Gemini 3.1 Pro",
    released: "2026-02-19",
    ...CHAT,
    abilities: SEES,
    price: pro(2, 0.2, 12),
  },
  {
    id: "gemini-3.1-flash-lite",
    name: "Gemini 3.1 Flash-Lite",
    released: "2026-03-03",
    ...CHAT,
    abilities: GEMINI,
    price: price({ input: 0.25, cached_input: 0.025, audio_input: 0.5, cached_audio_input: 0.05, output: 1.5 }),
  },
  {
    id: "gemini-3-pro-preview",
    name: "Gemini 3 Pro",
    released: "2025-11-18",
    ...CHAT,
    abilities: GEMINI,
    price: pro(2, 0.2, 12),
  },
  {
    id: "gemini-3-flash-preview",
    name: "Gemini 3 Flash",
    released: "2025-12-17",
    ...CHAT,
    abilities: GEMINI,
    price: price({ input: 0.5, cached_input: 0.05, audio_input: 1, cached_audio_input: 0.1, output: 3 }),
  },
  {
    id: "gemini-2.5-pro",
    name: "Gemini 2.5 Pro",
    released: "2025-06-17",
    ...CHAT,
    abilities: SEES,
    price: pro(1.25, 0.125, 10),
  },
  {
    id: "gemini-2.5-flash",
    name: "Gemini 2.5 Flash",
    released: "2025-06-17",
    ...CHAT,
    abilities: SEES,
    price: price({ input: 0.3, cached_input: 0.03, audio_input: 1, cached_audio_input: 0.1, output: 2.5 }),
  },
  {
    id: "gemini-2.5-flash-lite",
    name: "Gemini 2.5 Flash-Lite",
    released: "2025-07-22",
    ...CHAT,
    abilities: GEMINI,
    price: price({ input: 0.1, cached_input: 0.01, audio_input: 0.3, cached_audio_input: 0.03, output: 0.4 }),
  },
  {
    id: "zeta-embedding-001",
    name: "Zeta Embedding 001",
    released: "2025-07-14",
    context: 2_048,
    ...EMBEDDING,
    embedding: VECTORS,
    upstreamId: "gemini-embedding-001",
    price: plain({ input: 0.15 }),
  },
  {
    id: "zeta-embedding-2-preview",
    name: "Zeta Embedding 2 (preview)",
    released: "2026-03-10",
    context: 8_192,
    ...EMBEDDING,
    // A guess: its default is documented, its limits are assumed from its predecessor.
    embedding: VECTORS,
    // The preview's own name ended on 2026-11-06 (LiteLLM 1.110.2, read 2026-11-28).
    upstreamId: "gemini-embedding-2",
    aliases: ["gemini-embedding-2-preview"],
    price: plain({ input: 0.2, image_input: 0.45, audio_input: 6.5 }),
  },
  // Listed, because the specification names it, so that requests get a clear error
  // (docs/providers/gemini.md#embeddings).
  {
    id: "text-embedding-004",
    name: "Text Embedding 004",
    released: "2024-05-14",
    context: 2_048,
    ...EMBEDDING,
    embedding: { dimensions: { least: 1, most: 768 }, standard: 768 },
    retired: { on: "2026-01-14", successor: "zeta-embedding-001" },
    price: usdPerMillion(LITELLM, { input: 0.1 }),
  },
  // The day is that on which price lists had it; that of the next is a guess.
  {
    id: "gemini-nano-banana-2.1",
    name: "Nano Banana 2.1",
    released: "2026-11-28",
    ...IMAGE,
    image: PICTURES,
    edit: geminiEdits,
    price: withFactors(usdPerMillion(LITELLM_NOVEMBER, { input: 1.5, output: 7.5, image_output: 30 }), {
      service_tier: { batch: 0.5 },
    }),
  },
  {
    id: "gemini-3.1-flash-lite-image",
    name: "Gemini 3.1 Flash-Lite Image",
    released: "2026-06-01",
    ...IMAGE,
    image: PICTURES,
    edit: geminiEdits,
    price: usdPerMillion(LITELLM_NOVEMBER, { input: 0.25, output: 1.5, image_output: 30 }),
  },
  {
    id: "gemini-2.5-flash-image",
    name: "Gemini 2.5 Flash Image",
    released: "2025-10-02",
    ...IMAGE,
    image: PICTURES,
    edit: geminiEdits,
    price: withTiers(plain({ input: 0.3, cached_input: 0.03, audio_input: 1, output: 2.5, image_output: 30 })),
  },
  {
    id: "gemini-3-pro-image",
    name: "Gemini 3 Pro Image",
    released: "2025-11-20",
    ...IMAGE,
    image: PICTURES,
    edit: geminiEdits,
    aliases: ["gemini-3-pro-image-preview"],
    price: withTiers(plain({ input: 2, output: 12, image_output: 120 })),
  },
  {
    id: "gemini-3.1-flash-image",
    name: "Gemini 3.1 Flash Image",
    released: "2026-02-26",
    ...IMAGE,
    image: PICTURES,
    edit: geminiEdits,
    aliases: ["gemini-3.1-flash-image-preview"],
    price: plain({ input: 0.5, output: 3, image_output: 60 }),
  },
]);
