import type { EditRules } from "../../core/edits/edit-rules.ts";

const MIB = 1024 * 1024;

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
