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
