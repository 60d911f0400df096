import type { ContextParts } from "../../contract/context-parts.ts";
import type { RequestKind } from "../../contract/routed.ts";

/** The facts of a request that routes use. Slow facts are functions, which run only if a route needs them. */
export interface RequestFacts {
  /** All that it is; in the order of `requestKinds`. */
  readonly kinds: readonly RequestKind[];
  /** The abilities that its prompt and its response need. */
  readonly needs: readonly Need[];
  /** Our count, never too low by much: for the sizes of contexts and the thresholds of rules. */
  inputTokens(): number;
  /** How many output tokens it asks for at most; null where it leaves that open. */
  readonly outputTokens: number | null;
  /** An id that all requests of a client's session share; null if the client does not tell. */
  readonly session: string | null;
  /** Sizes of the prompt's parts, in characters; null if unknown. */
  context(): ContextParts | null;
  /**
   * Whether asking someone else is harmful once a provider may have executed it: it stores, or has tools executed by the
   * provider that change something.
   */
  readonly unsafe: boolean;
}

/** Names as in `Abilities`. */
export type Need = "pictures" | "files" | "tools" | "json_schema" | "web_search";

/** Facts of requests without anything that routes could distinguish. */
export const NO_FACTS: RequestFacts = {
  kinds: [],
  needs: [],
  inputTokens: () => 0,
  outputTokens: null,
  session: null,
  context: () => null,
  unsafe: false,
};
