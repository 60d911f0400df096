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
  /** Whether nothing else is offered, or the request insists on it: without search it cannot be served. */
  readonly needed: boolean;
}

/** A search that a model asks for. `query` is null where its arguments hold none. */
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

/** The result of a provider's turn, as far as the next one needs it. */
export interface RoundResult {
  readonly searches: readonly SearchCallMade[];
  /** Whether it calls functions of the client too, which then has its turn. */
  readonly callsClient: boolean;
}

/**
 * A client request whose searches Postern makes, in the client's own dialect: it builds the provider's request of each turn,
 * and the client's response to all of them together.
 */
export interface ServedConversation {
  /** The highest number that a result of the history has. */
  readonly lastNumber: number;
  /**
   * The request of the next turn.
   * @param last whether no search may follow any more
   */
  request(last: boolean): Document;
  /** A whole response of a turn. */
  read(response: Document): RoundResult;
  /** Handles an event of a streamed turn. @returns the events that are ready for the client */
  event(data: Document): readonly Document[];
  /** The stream of a turn is over. */
  endRound(): RoundResult;
  /** Starts a search. @returns the events for the client of a stream before it */
  searching(call: SearchCallMade): readonly Document[];
  /** @returns the events about it for the client of a stream */
  addSearch(call: SearchCallMade, outcome: SearchOutcome): readonly Document[];
  /**
   * All turns together, as a whole response.
   * @param paused it ends before the model is done
   * @param isCut because there is no money for another turn
   */
  whole(paused: boolean, isCut: boolean): Document;
  /** Returns the end of the stream. */
  ending(paused: boolean, isCut: boolean): readonly Document[];
}
