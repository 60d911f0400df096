/**
 * Why a search failed. `auth`: its key is refused or missing; `credit`: the account is empty; `rate`: too many
 * requests; `down`: no readable response in time; `refused`: the service rejects the query.
 */
export type SearchFailure = "auth" | "credit" | "rate" | "down" | "refused";

/** The message is a sentence with the remedy. */
export class SearchError extends Error {
  override readonly name = "SearchError";
  readonly failure: SearchFailure;
  /** Whether the service may have made the search and charges it. */
  readonly uncertain: boolean;

  constructor(failure: SearchFailure, message: string, uncertain = false) {
    super(message);
    this.failure = failure;
    this.uncertain = uncertain;
  }
}
