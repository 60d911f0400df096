import type { SearchFilters, SearchPlace, SearchResult } from "../../core/search/search-result.ts";
import type { SearchFailure } from "../../core/search/search-error.ts";

export interface SearchQuery {
  readonly text: string;
  readonly filters: SearchFilters;
  /** Null where the client does not say, or it is no one's. */
  readonly place: SearchPlace | null;
}

/** One HTTP request of a search service. */
export interface SearchRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** What is known of a search service. Translates and nothing else. */
export interface SearchEngine {
  /** As people know it. */
  readonly label: string;
  readonly needsKey: boolean;
  /** Where its keys are made. */
  readonly keysUrl: string | null;
  /** What it publishes for one search, 10⁻⁹ USD, and where and when that was read; null where no one charges. */
  readonly price: { readonly nano: number; readonly source: string; readonly asOf: string };
  /** Its address without a path, where it has one of its own. */
  readonly origin: string | null;
  /** @param origin where it is asked; `origin` but for SearXNG. @param key empty where it needs none */
  request(origin: string, query: SearchQuery, key: string): SearchRequest;
  /** @returns null when the response is not a list of results. */
  read(body: unknown): readonly SearchResult[] | null;
  /** Statuses that mean something else here than elsewhere. */
  readonly failures: Readonly<Record<number, SearchFailure>>;
}
