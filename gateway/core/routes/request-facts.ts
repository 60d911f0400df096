import type { ContextParts } from "../../contract/context-parts.ts";
import type { RequestKind } from "../../contract/routed.ts";

/** The facts of a request that routes use. Slow facts are functions, which run only if a route needs them. */
export interface RequestFacts {
  /** All that it is; in the order of `requestKinds`. */
  readonly kinds: readonly RequestKind[];
  /** The abilities that its prompt and its response need. */
  readonly needs: readonly Need[];
  /** Our token count, an upper estimate for context sizes and rule thresholds. */
  inputTokens(): number;
  /** Max output tokens of the request; null if not set. */
  readonly outputTokens: number | null;
  /** Id shared by all requests of a client's session; null if the client sends none. */
  readonly session: string | null;
  /** Sizes of the prompt's parts, in characters; null if unknown. */
  context(): ContextParts | null;
  /**
   * Whether a retry elsewhere does harm once a provider may have executed it: it stores something, or runs provider
   * tools with side effects.
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
