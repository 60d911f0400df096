import type { EmbeddingRules } from "../../core/embeddings/embedding-rules.ts";
import { listEntries, usdPerMillion, createVideoEntry } from "../../core/models/catalog-entry.ts";
import type { PriceSource } from "../../core/models/catalog-entry.ts";
import { getUsdPerSecond } from "../../core/models/media-prices.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { GENAI_PRICES, LITELLM } from "../../core/models/price-sources.ts";
import { COMMON_VOICES } from "../../core/speech/speech-rules.ts";
import type { SpeechRules } from "../../core/speech/speech-rules.ts";
import type { VideoRules } from "../../core/videos/video-order.ts";
import { chatModels } from "./chat-models.ts";
import { earlierModels } from "./earlier-models.ts";
import { imageModels } from "./image-models.ts";
import { soundModels } from "./sound-models.ts";

const OPENAI_SPEECH: PriceSource = { source: "openai.com/api/pricing", as_of: "2026-08-06" };

const EMBEDDING = { output: null, capabilities: ["embedding"] } as const;
const upTo = (most: number): EmbeddingRules => ({ dimensions: { least: 1, most }, standard: most });

const SPEECH = { context: null, output: null, capabilities: ["speech"] } as const;

/**
 * OpenAI's voices, formats and bounds (docs/providers/openai.md#speech). It wants a voice; `alloy` is its documents'
 * first.
 */
const VOICES: SpeechRules = {
  voices: COMMON_VOICES,
  defaultVoice: "alloy",
  replacedVoices: [],
  customVoices: true,
  formats: ["mp3", "opus", "aac", "flac", "wav", "pcm"],
  maxCharacters: 4_096,
  // tts-1 silently ignores them, which is left to the provider.
  instructions: true,
  speed: { least: 0.25, most: 4 },
  events: false,
  ideographCounts: 1,
};

/** `1024p` is Sora's larger format, 1792x1024. */
const sora = (resolutions: readonly string[]): VideoRules => ({
  family: "sora",
  kind: "any",
  resolutions,
  durations: { oneOf: [4, 8, 12] },
});

export const catalog: readonly ModelSpec[] = listEntries("openai", [
  ...chatModels,
  ...earlierModels,
  {
    id: "text-embedding-3-small",
    name: "Text Embedding 3 small",
    released: "2024-01-25",
    context: 8_192,
    ...EMBEDDING,
    embedding: upTo(1_536),
    price: usdPerMillion(GENAI_PRICES, { input: 0.02 }),
  },
  {
    id: "text-embedding-3-large",
    name: "Text Embedding 3 large",
    released: "2024-01-25",
    context: 8_192,
    ...EMBEDDING,
    embedding: upTo(3_072),
    price: usdPerMillion(GENAI_PRICES, { input: 0.13 }),
  },
  {
    id: "text-embedding-ada-002",
    name: "Text Embedding Ada 002",
    released: "2022-12-15",
    context: 8_192,
    ...EMBEDDING,
    embedding: { dimensions: "fixed", standard: 1_536 },
    price: usdPerMillion(GENAI_PRICES, { input: 0.1 }),
  },
  {
    id: "tts-1",
    speech: VOICES,
    name: "TTS-1",
    released: "2023-11-06",
    ...SPEECH,
    price: usdPerMillion(OPENAI_SPEECH, { character: 15 }),
  },
  {
    id: "tts-1-hd",
    speech: VOICES,
    name: "TTS-1 HD",
    released: "2023-11-06",
    ...SPEECH,
    price: usdPerMillion(OPENAI_SPEECH, { character: 30 }),
  },
  // Billed by audio tokens, which only its event streams report.
  {
    id: "gpt-4o-mini-tts",
    speech: { ...VOICES, events: true },
    name: "GPT-4o mini TTS",
    released: "2025-03-20",
    ...SPEECH,
    price: usdPerMillion(GENAI_PRICES, { input: 0.6, audio_output: 12 }),
  },
  ...soundModels,
  ...imageModels,
  createVideoEntry("sora-2", "Sora 2", "2025-10-06", sora(["720p"]), getUsdPerSecond(LITELLM, { "720p": 0.1 })),
  createVideoEntry(
    "sora-2-pro",
    "Sora 2 Pro",
    "2025-10-06",
    sora(["720p", "1024p"]),
    getUsdPerSecond(LITELLM, { "720p": 0.3, "1024p": 0.5 }),
  ),
]);
