import type { EditRules } from "../core/edits/edit-rules.ts";

/**
 * What models accept on `/v1/images/edits` (docs/specification.md#post-v1imagesedits-multipartform-data;
 * docs/providers/openai.md#image-edits, docs/providers/gemini.md#images, docs/providers/xai.md#images).
 */

const MIB = 1024 * 1024;

/** gpt-image: up to 16 images below 50 MB; always answers base64, and refuses `response_format`. */
export const deltaEdits: EditRules = {
  sizes: ["1024x1024", "1024x1536", "1536x1024"],
  qualities: ["auto", "low", "medium", "high"],
  images: 16,
  imageBytes: 50 * MIB,
  squarePng: false,
  mask: true,
  n: 10,
  prompt: 32_000,
  response: "base64",
  output: true,
  fidelity: true,
  stream: true,
};

/** `input_fidelity`: "not on mini". */
export const deltaMiniEdits: EditRules = { ...deltaEdits, fidelity: false };

/** dall-e-2: one square PNG below 4 MB, prompts of 1,000 characters, no say in how the file is written. */
export const epsilonEdits: EditRules = {
  sizes: ["256x256", "512x512", "1024x1024"],
  qualities: [],
  images: 1,
  imageBytes: 4 * MIB,
  squarePng: true,
  mask: true,
  n: 10,
  prompt: 1_000,
  response: "choice",
  output: false,
  fidelity: false,
  stream: false,
};

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

/** grok-imagine-image: "images ≤ 3 to 5"; it takes a ratio instead of a size. */
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
