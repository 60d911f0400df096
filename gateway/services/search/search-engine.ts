import type { SearchFilters, SearchPlace, SearchResult } from "../../core/search/search-result.ts";
import type { SearchFailure } from "../../core/search/search-error.ts";

export interface SearchQuery {
  readonly text: string;
  readonly filters: SearchFilters;
  /** Null without a valid place from the client. */
  readonly place: SearchPlace | null;
}

/** An HTTP request to a search service. */
export interface SearchRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Adapter of a search service. It only translates. */
export interface SearchEngine {
  /** Display name. */
  readonly label: string;
  readonly needsKey: boolean;
  /** Page that issues its keys. */
  readonly keysUrl: string | null;
  /** List price of one search, 10⁻⁹ USD, with its source and the day it was read; 0 for services without a charge. */
  readonly price: { readonly nano: number; readonly source: string; readonly asOf: string };
  /** Fixed address without a path; null for services that users host. */
  readonly origin: string | null;
  /** @param origin server to call; `origin` except for SearXNG. @param key empty if none is needed */
  request(origin: string, query: SearchQuery, key: string): SearchRequest;
  /** @returns null when the response is not a list of results. */
  read(body: unknown): readonly SearchResult[] | null;
  /** Statuses with a meaning specific to this service. */
  readonly failures: Readonly<Record<number, SearchFailure>>;
}
