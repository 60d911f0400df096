import type { EmbeddingInput } from "../../core/embeddings/embedding-inputs.ts";
import { countTokens } from "../calls/count-tokens.ts";

/** Tokens of inputs, counted here because the vendor reported none. */
export function countedTokens(inputs: readonly EmbeddingInput[]): number {
  return inputs.reduce((sum, input) => sum + (typeof input === "string" ? countTokens(input) : input.length), 0);
}
