import type { ImageRules } from "../../core/images/image-rules.ts";
import type { Abilities, ModelSpec, Reasoning } from "../../core/models/model.ts";
import { listEntries, usdPerMillion, createVideoEntry } from "../../core/models/catalog-entry.ts";
import type { Entry } from "../../core/models/catalog-entry.ts";
import { getUsdPerHour, getUsdPerImage, getUsdPerSecond } from "../../core/models/media-prices.ts";
import { GENAI_PRICES, LITELLM_NOVEMBER } from "../../core/models/price-sources.ts";
import type { VideoRules } from "../../core/videos/video-order.ts";
import type { EditRules } from "../../core/edits/edit-rules.ts";

const MIB = 1024 * 1024;

/** The documentation's "images ≤ 3 to 5"; it takes a ratio instead of a size. */
export const grokEdits: EditRules = {
  sizes: ["1024x1024", "1024x1536", "1536x1024"],
  qualities: ["low", "medium", "high"],
  images: 3,
  imageBytes: 20 * MIB,
  squarePng: false,
  mask: false,
  n: 10,
  prompt: 8_000,
  response: "choice",
  output: false,
  fidelity: false,
  stream: false,
};

/**
 * xAI's Grok models. Reasoning tokens are counted next to `completion_tokens`. Only some take
 * `reasoning_effort`: for the others xAI's adapter leaves it out, and which values those take is left to xAI.
 */

const REASONS: Reasoning = { efforts: [], dropsSampling: false };

/** docs/providers/xai.md#what-models-take */
const TAKES_ALL: Abilities = { pictures: true, tools: true, json_schema: true };

/** The higher rates start at exactly 200,000 prompt tokens. */
const BELOW_200K = 199_999;

/**
 * USD per million uses of xAI's tools: web search, collections search, code execution
 * (https://docs.x.ai/developers/pricing, 2026-11-29).
 */
const TOOL_FEES = { web_search: 5_000, file_search: 2_500, container: 5_000 } as const;

const doubling = (input: number, cachedInput: number, output: number, read = GENAI_PRICES) =>
  usdPerMillion(
    read,
    { input, cached_input: cachedInput, output, ...TOOL_FEES },
    { above: BELOW_200K, rates: { input: input * 2, cached_input: cachedInput * 2, output: output * 2, ...TOOL_FEES } },
  );

/**
 * Names that respond as grok-4.3 and are billed as it since that day
 * (https://docs.x.ai/developers/migration/may-15-retirement, read 2026-11-28).
 */
const MOVED = {
  retired: { on: "2026-05-15", successor: "grok-4.3" },
  price: doubling(1.25, 0.2, 2.5),
} satisfies Partial<Entry>;

const PICTURES: ImageRules = {
  family: "grok",
  sizes: { kind: "any" },
  defaultSize: null,
  most: 10,
  qualities: ["low", "medium", "high"],
  promptLimit: null,
  references: { least: 0, most: 0 },
  streams: false,
};

const FILMS: VideoRules = {
  family: "grok",
  kind: "any",
  resolutions: ["480p", "720p"],
  durations: { from: 1, to: 15 },
};

/** A source picture costs an extra $0.002, which is ignored. */
const FILM_PRICE = getUsdPerSecond(
  { source: "docs.x.ai model page, as yingtu.ai and docs.comfy.org quote it", as_of: "2026-08-21" },
  { "480p": 0.05, "720p": 0.07 },
);

/** The price list has 1080p as well; what else they take is read from their predecessor. */
const FILMS_1_5: VideoRules = { ...FILMS, resolutions: ["480p", "720p", "1080p"] };
const FILM_PRICE_1_5 = getUsdPerSecond(LITELLM_NOVEMBER, { "480p": 0.08, "720p": 0.14, "1080p": 0.25 });
const FILM_PRICE_LITE = getUsdPerSecond(LITELLM_NOVEMBER, { "480p": 0.02, "720p": 0.03, "1080p": 0.14 });

/**
 * The sizes of xAI's are `1k`, its usual, and `2k`, its qualities `low` and `medium`, its usual: docs.x.ai's price list, by
 * LiteLLM 1.110.2 and docs.apiyi.com ("$0.04 to $0.08 as xAI"), read 2026-11-29. `high` is not priced there.
 */
const IMAGE_PRICE_2 = getUsdPerImage(LITELLM_NOVEMBER, 0.06, [
  [{ size: "2k", quality: "low" }, 0.06],
  [{ size: "2k" }, 0.08],
  [{ quality: "low" }, 0.04],
]);

/** All words have timestamps; confidence is not reported. */
const TRANSCRIPTION = {
  context: null,
  output: null,
  capabilities: ["transcription"],
  transcription: { formats: ["json", "verbose_json", "diarized_json"], most: Infinity, prompt: true, logprobs: false },
} satisfies Partial<Entry>;

export const catalog: readonly ModelSpec[] = listEntries("xai", [
  {
    id: "grok-4.7",
    name: "Grok 4.7",
    released: "2026-11-20",
    context: 500_000,
    output: null,
    reasoning: REASONS,
    price: doubling(2, 0.5, 6, LITELLM_NOVEMBER),
  },
  {
    id: "grok-4.6",
    name: "Grok 4.6",
    released: "2026-09-02",
    context: 500_000,
    output: null,
    reasoning: REASONS,
    aliases: ["grok-latest"],
    price: doubling(2, 0.5, 6),
  },
  {
    id: "grok-4.5",
    name: "Grok 4.5",
    released: "2026-07-08",
    context: 500_000,
    output: null,
    reasoning: REASONS,
    price: doubling(2, 0.3, 6),
  },
  {
    id: "grok-4.3",
    name: "Grok 4.3",
    released: "2026-04-30",
    context: 1_000_000,
    output: null,
    reasoning: REASONS,
    abilities: TAKES_ALL,
    price: doubling(1.25, 0.2, 2.5),
  },
  {
    id: "grok-build-0.1",
    name: "Grok Build 0.1",
    released: "2026-05-15",
    context: 256_000,
    output: null,
    reasoning: REASONS,
    price: doubling(1, 0.2, 2, LITELLM_NOVEMBER),
  },
  {
    id: "grok-4.20-reasoning",
    name: "Grok 4.20 (reasoning)",
    released: "2026-03-09",
    context: 1_000_000,
    output: null,
    reasoning: REASONS,
    aliases: ["grok-4.20"],
    abilities: { pictures: true },
    price: doubling(1.25, 0.2, 2.5),
  },
  {
    id: "grok-4.20-non-reasoning",
    name: "Grok 4.20",
    released: "2026-03-09",
    context: 1_000_000,
    output: null,
    abilities: { pictures: true },
    price: doubling(1.25, 0.2, 2.5),
  },
  {
    id: "grok-4-1-fast-reasoning",
    name: "Grok 4.1 Fast (reasoning)",
    released: "2025-11-19",
    context: 2_000_000,
    output: null,
    reasoning: REASONS,
    aliases: ["grok-4-1-fast"],
    ...MOVED,
  },
  {
    id: "grok-4-1-fast-non-reasoning",
    name: "Grok 4.1 Fast",
    released: "2025-11-19",
    context: 2_000_000,
    output: null,
    ...MOVED,
  },
  {
    id: "grok-4",
    name: "Grok 4",
    released: "2025-07-09",
    context: 256_000,
    output: null,
    reasoning: REASONS,
    aliases: ["grok-4-0709", "grok-4-latest"],
    abilities: TAKES_ALL,
    ...MOVED,
  },
  {
    id: "grok-code-fast-1",
    name: "Grok Code Fast 1",
    released: "2025-08-28",
    context: 256_000,
    output: null,
    reasoning: REASONS,
    aliases: ["grok-code-fast"],
    retired: { on: "2026-05-15", successor: "grok-build-0.1" },
    price: doubling(1, 0.2, 2, LITELLM_NOVEMBER),
  },
  {
    id: "grok-imagine-image-2.0",
    name: "Grok Imagine Image 2.0",
    released: "2026-08-13",
    context: null,
    output: null,
    capabilities: ["image", "image_edit"],
    image: PICTURES,
    edit: grokEdits,
    aliases: ["grok-imagine-image-quality", "grok-imagine-image-quality-latest", "grok-imagine-image-pro"],
    price: IMAGE_PRICE_2,
  },
  {
    id: "grok-imagine-image",
    name: "Grok Imagine Image",
    released: "2026-01-28",
    context: null,
    output: null,
    capabilities: ["image", "image_edit"],
    image: PICTURES,
    edit: grokEdits,
    price: getUsdPerImage(LITELLM_NOVEMBER, 0.02, []),
  },
  createVideoEntry("grok-imagine-video-1.5", "Grok Imagine Video 1.5", "2026-05-30", FILMS_1_5, FILM_PRICE_1_5),
  createVideoEntry(
    "grok-imagine-video-1.5-lite",
    "Grok Imagine Video 1.5 Lite",
    "2026-05-30",
    FILMS_1_5,
    FILM_PRICE_LITE,
  ),
  createVideoEntry("grok-imagine-video", "Grok Imagine Video", "2026-01-28", FILMS, FILM_PRICE),
  // docs/providers/xai.md#transcription.
  {
    id: "grok-voice-transcribe-2.0",
    name: "Grok Voice Transcribe 2.0",
    released: "2026-10-01",
    ...TRANSCRIPTION,
    price: getUsdPerHour(LITELLM_NOVEMBER, 0.1),
  },
  {
    id: "grok-voice-transcribe-1.0",
    name: "Grok Voice Transcribe 1.0",
    released: "2026-03-16",
    ...TRANSCRIPTION,
    aliases: ["grok-stt"],
    price: getUsdPerHour({ source: "vercel.com/ai-gateway/models/grok-stt, at list price", as_of: "2026-11-24" }, 0.1),
  },
]);
