import type { EditRules } from "../../core/edits/edit-rules.ts";

/** What models accept on `/v1/images/edits` (specification, edits; docs/providers/openai.md#image-edits). */

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
