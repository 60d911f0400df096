import type { PassedModel } from "../../contract/routed.ts";
import type { Abilities } from "../models/model.ts";
import type { Need, RequestFacts } from "./request-facts.ts";

/** Known facts of a model that may exclude a request. */
export interface Fit {
  readonly abilities: Abilities;
  /** Nothing is known that it does not take. */
  readonly takesAll: boolean;
  /** Tokens; null if unknown. */
  readonly contextLength: number | null;
  readonly maxOutput: number | null;
}

/** Tells whether it is a medium that text can replace. */
export function isMedium(what: PassedModel["reason"] | Need): what is "pictures" | "files" {
  return what === "pictures" || what === "files";
}

const NOTHING: readonly Need[] = [];

export type Lacking = Exclude<Need, "web_search"> | "context" | "output";

/**
 * Returns why a model certainly cannot take a request; null if it can or if unknown.
 * @param bytes bytes of the request, an upper bound of its tokens
 * @param inWords whether pictures and files are replaced by text
 */
export function lacks(
  { abilities, takesAll, contextLength, maxOutput }: Fit,
  facts: Pick<RequestFacts, "needs" | "inputTokens" | "outputTokens">,
  bytes: number,
  inWords = false,
): Lacking | null {
  for (const need of takesAll ? NOTHING : facts.needs) {
    // Web search does not exclude a model: Postern runs it, or reports that it is missing.
    if (need !== "web_search" && abilities[need] === false && !(inWords && isMedium(need))) return need;
  }
  if (contextLength !== null && bytes > contextLength && facts.inputTokens() > contextLength) return "context";
  if (maxOutput !== null && facts.outputTokens !== null && facts.outputTokens > maxOutput) return "output";
  return null;
}
