import type { ModelSpec } from "../core/model.ts";
import { entries, usdPerMillion } from "./entry.ts";
import { OPENAI_SPEECH, GENAI_PRICES, LITELLM } from "./sources.ts";

/**
 * OpenAI's other models: embeddings, speech, and the specification's delta (gpt-image) and epsilon (dall-e) families by
 * their neutral names. Text, image and output tokens of images have their own rates (upstreams reference 11.4).
 */

const EMBEDDING = { context: 8_192, output: null, capabilities: ["embedding"] } as const;
const SPEECH = { context: null, output: null, capabilities: ["speech"] } as const;
const IMAGE = { context: null, output: null, capabilities: ["image", "image_edit"] } as const;

export const openaiMediaModels: readonly ModelSpec[] = entries("openai", [
  {
    id: "text-embedding-3-small",
    name: "Text Embedding 3 small",
    released: "2024-01-25",
    ...EMBEDDING,
    price: usdPerMillion(GENAI_PRICES, { input: 0.02 }),
  },
  {
    id: "text-embedding-3-large",
    name: "Text Embedding 3 large",
    released: "2024-01-25",
    ...EMBEDDING,
    price: usdPerMillion(GENAI_PRICES, { input: 0.13 }),
  },
  {
    id: "text-embedding-ada-002",
    name: "Text Embedding Ada 002",
    released: "2022-12-15",
    ...EMBEDDING,
    price: usdPerMillion(GENAI_PRICES, { input: 0.1 }),
  },
  {
    id: "tts-1",
    name: "TTS-1",
    released: "2023-11-06",
    ...SPEECH,
    price: usdPerMillion(OPENAI_SPEECH, { character: 15 }),
  },
  {
    id: "tts-1-hd",
    name: "TTS-1 HD",
    released: "2023-11-06",
    ...SPEECH,
    price: usdPerMillion(OPENAI_SPEECH, { character: 30 }),
  },
  // Billed by audio tokens, of which its answer says nothing: $0.6 and $12 per million.
  {
    id: "gpt-4o-mini-tts",
    name: "GPT-4o mini TTS",
    released: "2025-03-20",
    ...SPEECH,
    price: usdPerMillion(GENAI_PRICES, { input: 0.6, output: 12 }),
  },
  {
    id: "delta-image-2",
    upstreamId: "gpt-image-2",
    name: "Delta Image 2",
    released: "2026-04-21",
    ...IMAGE,
    price: usdPerMillion(LITELLM, { input: 5, cached_input: 1.25, output: 10, image_input: 8, image_output: 30 }),
  },
  {
    id: "delta-image-1.5",
    upstreamId: "gpt-image-1.5",
    name: "Delta Image 1.5",
    released: "2025-12-16",
    ...IMAGE,
    price: usdPerMillion(LITELLM, { input: 5, cached_input: 1.25, output: 10, image_input: 8, image_output: 32 }),
  },
  {
    id: "delta-image-1",
    upstreamId: "gpt-image-1",
    name: "Delta Image 1",
    released: "2025-04-23",
    ...IMAGE,
    price: usdPerMillion(LITELLM, { input: 5, cached_input: 1.25, image_input: 10, image_output: 40 }),
  },
  {
    id: "gpt-image-1-mini",
    name: "GPT Image 1 mini",
    released: "2025-10-06",
    ...IMAGE,
    price: usdPerMillion(LITELLM, { input: 2, cached_input: 0.2, image_input: 2.5, image_output: 8 }),
  },
  // $0.016 to $0.12 an image by size and quality, which a single rate cannot say.
  { id: "epsilon-2", upstreamId: "dall-e-2", name: "Epsilon 2", released: "2022-11-03", ...IMAGE, price: null },
  {
    id: "epsilon-3",
    upstreamId: "dall-e-3",
    name: "Epsilon 3",
    released: "2023-11-06",
    context: null,
    output: null,
    capabilities: ["image"],
    price: null,
  },
]);
