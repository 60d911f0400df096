import type { PassedModel } from "../../contract/routed.ts";
import type { Abilities } from "../models/model.ts";
import type { Need, RequestFacts } from "./request-facts.ts";

/** Known facts of a model that a request may not fit. */
export interface Fit {
  readonly abilities: Abilities;
  /** Nothing is known that it does not take. */
  readonly takesAll: boolean;
  /** Tokens; null where no one knows. */
  readonly contextLength: number | null;
  readonly maxOutput: number | null;
}

/** Whether it is one that words can come into the place of. */
export function isMedium(what: PassedModel["reason"] | Need): what is "pictures" | "files" {
  return what === "pictures" || what === "files";
}

const NOTHING: readonly Need[] = [];

export type Lacking = Exclude<Need, "web_search"> | "context" | "output";

/**
 * Why a model surely cannot take a request; null where it can, or no one knows.
 * @param bytes of the request: a prompt has no more tokens than that
 * @param inWords words come into the place of pictures and files
 */
export function lacks(
  { abilities, takesAll, contextLength, maxOutput }: Fit,
  facts: Pick<RequestFacts, "needs" | "inputTokens" | "outputTokens">,
  bytes: number,
  inWords = false,
): Lacking | null {
  for (const need of takesAll ? NOTHING : facts.needs) {
    // Web search is no bar: where a model has none, Postern serves it, or says so.
    if (need !== "web_search" && abilities[need] === false && !(inWords && isMedium(need))) return need;
  }
  if (contextLength !== null && bytes > contextLength && facts.inputTokens() > contextLength) return "context";
  if (maxOutput !== null && facts.outputTokens !== null && facts.outputTokens > maxOutput) return "output";
  return null;
}
