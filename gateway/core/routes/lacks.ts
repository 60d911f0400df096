import type { PassedModel } from "../../contract/routed.ts";
import type { Abilities } from "../models/model.ts";
import type { Need, RequestFacts } from "./request-facts.ts";

/** What is known of a model that a request may not fit. */
export interface Fit {
  readonly abilities: Abilities;
  /** Tokens; null where nobody knows. */
  readonly contextLength: number | null;
  readonly maxOutput: number | null;
}

/** Web search is no bar: where a model has none, Postern serves it, or says so. */
type Required = Exclude<Need, "web_search">;
const isRequired = (need: Need): need is Required => need !== "web_search";

/**
 * Why a model surely cannot take a request; null where it can, or nobody knows.
 * @param bytes of the request: a prompt has no more tokens than that
 */
export function lacks(
  { abilities, contextLength, maxOutput }: Fit,
  facts: Pick<RequestFacts, "needs" | "inputTokens" | "outputTokens">,
  bytes: number,
): PassedModel["reason"] | null {
  const missing = facts.needs.filter(isRequired).find((need) => abilities[need] === false);
  if (missing !== undefined) return missing;
  if (contextLength !== null && bytes > contextLength && facts.inputTokens() > contextLength) return "context";
  if (maxOutput !== null && facts.outputTokens !== null && facts.outputTokens > maxOutput) return "output";
  return null;
}
