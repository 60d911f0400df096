import { mostTokens } from "../../core/embeddings/embedding-inputs.ts";
import type { EmbeddingInput } from "../../core/embeddings/embedding-inputs.ts";
import { ASSUMED_PRICE } from "../../core/money/estimate.ts";
import { priceUnits } from "../../core/money/price.ts";
import { dearestCost } from "../calls/paid-call.ts";
import type { CallCost } from "../calls/paid-call.ts";
import type { Candidate } from "../models/model-index.ts";

/** What embedding the inputs may cost at most. */
export function embeddingsCost(candidates: readonly Candidate[], inputs: readonly EmbeddingInput[]): CallCost {
  const tokens = inputs.reduce((sum, input) => sum + mostTokens(input), 0);
  return dearestCost(candidates, (price) => priceUnits({ input: tokens }, price ?? ASSUMED_PRICE).nano ?? 0);
}
