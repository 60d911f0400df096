import type { ContextParts } from "../../contract/context-parts.ts";
import type { RequestKind } from "../../contract/routed.ts";

/** What routes look at in a request. What takes time is a function, and asked only where a route wants to know. */
export interface RequestFacts {
  /** All that it is; in the order of `requestKinds`. */
  readonly kinds: readonly RequestKind[];
  /** What its prompt and its response need of a model. */
  readonly needs: readonly Need[];
  /** Our count, never too low by much: for the sizes of contexts and the thresholds of rules. */
  inputTokens(): number;
  /** How many output tokens it asks for at most; null where it leaves that open. */
  readonly outputTokens: number | null;
  /** What is the same for all requests of one session of a client; null where clients do not tell. */
  readonly session: string | null;
  /** Of what its prompt is made, in characters; null where that is not known. */
  context(): ContextParts | null;
  /**
   * Whether asking someone else is harmful once a provider may have executed it: it stores, or has tools executed by the
   * provider that change something.
   */
  readonly unsafe: boolean;
}

/** As `Abilities` names them. */
export type Need = "pictures" | "files" | "tools" | "json_schema" | "web_search";

/** Of requests that say nothing which routes could tell apart. */
export const NO_FACTS: RequestFacts = {
  kinds: [],
  needs: [],
  inputTokens: () => 0,
  outputTokens: null,
  session: null,
  context: () => null,
  unsafe: false,
};
