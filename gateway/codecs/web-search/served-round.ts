import type { NumberedResult, SearchFilters, SearchPlace } from "../../core/search/search-result.ts";
import type { Document } from "../translation.ts";

/** How a client's request offers web search. */
export interface OfferedSearch {
  /** The name of the tool, by which a choice of tools refers to it. */
  readonly name: string;
  readonly filters: SearchFilters;
  /** `user_location`; null without one. */
  readonly place: SearchPlace | null;
  /** Max searches that the client allows; null if not given. */
  readonly maxUses: number | null;
  /** Whether search is the only tool, or required by the request, so that it cannot be served without. */
  readonly needed: boolean;
}

/** A search requested by a model. `query` is null if its arguments have none. */
export interface SearchCallMade {
  /** The call's id in the conversation with the provider. */
  readonly id: string;
  readonly query: string | null;
}

/** The result of a search. */
export type SearchOutcome =
  | { readonly kind: "results"; readonly results: readonly NumberedResult[] }
  | {
      readonly kind: "failed";
      /** Anthropic's error code. */
      readonly code: "unavailable" | "too_many_requests" | "max_uses_exceeded" | "invalid_input";
      /** Message for the model. */
      readonly message: string;
    };

/** Result of a provider's round, as needed by the next one. */
export interface RoundResult {
  readonly searches: readonly SearchCallMade[];
  /** Whether it also calls functions of the client, which continues then. */
  readonly callsClient: boolean;
}

/**
 * A client request whose searches Postern runs, in the client's dialect: it builds the provider's request for each
 * round, and the client's response from all of them.
 */
export interface ServedConversation {
  /** The highest number that a result of the history has. */
  readonly lastNumber: number;
  /**
   * Builds the request of the next round.
   * @param last whether no further search is allowed
   */
  request(last: boolean): Document;
  /** Reads a complete response of a round. */
  read(response: Document): RoundResult;
  /** Handles an event of a streamed round. @returns the events that are ready for the client */
  event(data: Document): readonly Document[];
  /** Ends the stream of a round. */
  endRound(): RoundResult;
  /** Starts a search. @returns the events for the client of a stream before it */
  searching(call: SearchCallMade): readonly Document[];
  /** @returns the events about it for the client of a stream */
  addSearch(call: SearchCallMade, outcome: SearchOutcome): readonly Document[];
  /**
   * Builds the complete response from all rounds.
   * @param paused whether it ends before the model has finished
   * @param isCut whether money for another round is missing
   */
  whole(paused: boolean, isCut: boolean): Document;
  /** Returns the end of the stream. */
  ending(paused: boolean, isCut: boolean): readonly Document[];
}
