import { mostTokens } from "../../core/embeddings/embedding-inputs.ts";
import type { EmbeddingInput } from "../../core/embeddings/embedding-inputs.ts";
import { tokenCounter } from "../../core/money/text-tokens.ts";
import type { EmbeddingPart } from "../../core/embeddings/embedding-parts.ts";
import type { Usage } from "../../core/models/model.ts";
import { ASSUMED_PRICE } from "../../core/money/hold.ts";
import { priceUnits } from "../../core/money/price.ts";
import { dearestCost } from "../calls/paid-call.ts";
import type { CallCost } from "../calls/paid-call.ts";
import type { Candidate } from "../models/routes.ts";

/** What embedding the parts may cost at most. */
export function embeddingsCost(candidates: readonly Candidate[], parts: readonly EmbeddingPart[]): CallCost {
  const units = parts.map(mostUnits);
  return dearestCost(candidates, (price) => priceUnits(units, price ?? ASSUMED_PRICE).nano ?? 0);
}

/** As many tokens as a part can have. */
export function mostUnits({ inputs }: EmbeddingPart): Usage {
  return { units: { input: inputs.reduce((sum, input) => sum + mostTokens(input), 0) } };
}

/** Tokens of inputs, counted here because the provider reported none. */
export function countedTokens(inputs: readonly EmbeddingInput[]): number {
  const count = tokenCounter();
  return inputs.reduce((sum, input) => sum + (typeof input === "string" ? count(input) : input.length), 0);
}
