import type { EmbeddingInput } from "../../core/embeddings/embedding-inputs.ts";
import { tokenCounter } from "../calls/count-tokens.ts";

/** Tokens of inputs, counted here because the provider reported none. */
export function countedTokens(inputs: readonly EmbeddingInput[]): number {
  const count = tokenCounter();
  return inputs.reduce((sum, input) => sum + (typeof input === "string" ? count(input) : input.length), 0);
}
