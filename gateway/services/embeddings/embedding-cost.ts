import { mostTokens } from "../../core/embedding-inputs.ts";
import type { EmbeddingInput } from "../../core/embedding-inputs.ts";
import { ASSUMED_PRICE } from "../../core/estimate.ts";
import { priceUnits } from "../../core/price.ts";
import type { CallCost } from "../calls/paid-call.ts";
import type { Candidate } from "../models/model-index.ts";

/** What embedding the inputs may cost at the candidate where it costs most: fail-over may end there. */
export function dearestCost(candidates: readonly Candidate[], inputs: readonly EmbeddingInput[]): CallCost {
  const tokens = inputs.reduce((sum, input) => sum + mostTokens(input), 0);
  const nano = Math.max(...candidates.map(({ price }) => costAt(price, tokens)));
  return { nano, least: nano };
}

function costAt(price: Candidate["price"], tokens: number): number {
  return priceUnits({ input: tokens }, price ?? ASSUMED_PRICE).nano ?? 0;
}
