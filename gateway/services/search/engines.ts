import type { SearchProvider } from "../../contract/settings.ts";
import { MOST_RESULTS, listHosts, searchResult } from "../../core/search/search-result.ts";
import type { SearchResult } from "../../core/search/search-result.ts";
import { isRecord } from "../../lib/records.ts";
import type { SearchEngine, SearchQuery } from "./search-engine.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** Number of results to request when some are filtered out afterwards. */
const PLENTY = 20;

/** Adds `site:` and `-site:`, which Brave and SearXNG's engines support. */
function withSites({ text, filters }: SearchQuery): string {
  const allowed = listHosts(filters.allowed).map((host) => `site:${host}`);
  const blocked = listHosts(filters.blocked).map((host) => `-site:${host}`);
  return [text, ...(allowed.length === 0 ? [] : [allowed.join(" OR ")]), ...blocked].join(" ");
}

/**
 * Brave's headers for the client's location
 * (api-dashboard.search.brave.com/app/documentation/web-search/request-headers, read 2026-11-24). Its parameter
 * `country` accepts only some countries.
 */
function placeHeaders({ place }: SearchQuery): Readonly<Record<string, string>> {
  return {
    ...(place?.city == null ? {} : { "x-loc-city": place.city }),
    ...(place?.region == null ? {} : { "x-loc-state-name": place.region }),
    ...(place?.country == null ? {} : { "x-loc-country": place.country }),
    ...(place?.timezone == null ? {} : { "x-loc-timezone": place.timezone }),
  };
}

/** @param holder the object whose `results` they are */
function readResults(holder: unknown, read: (entry: Readonly<Record<string, unknown>>) => SearchResult | null) {
  const list = isRecord(holder) ? holder["results"] : null;
  if (!Array.isArray(list)) return null;
  return (list as readonly unknown[]).flatMap((entry) => {
    const result = isRecord(entry) ? read(entry) : null;
    return result === null ? [] : [result];
  });
}

const firstText = (...values: readonly unknown[]): unknown =>
  values.find((value) => typeof value === "string" && value !== "");

/** Returns the day of an ISO 8601 moment. */
const readDay = (moment: unknown): string | null => (typeof moment === "string" ? moment.slice(0, 10) : null);

/**
 * Brave Search API: `GET /res/v1/web/search?q=…`, key in `X-Subscription-Token`, results in `web.results[]` with `title`,
 * `url`, `description`, `age` or `page_age`; `q` has at most 400 characters and `count` at most 20
 * (api-dashboard.search.brave.com/documentation). A wrong key is a 422. $5 for 1,000 searches (brave.com/search/api).
 */
const brave: SearchEngine = {
  label: "Brave Search",
  needsKey: true,
  keysUrl: "https://api-dashboard.search.brave.com/app/keys",
  price: { nano: 5_000_000, source: "brave.com/search/api", asOf: "2026-11-24" },
  origin: "https://api.search.brave.com",
  request(origin, query, key) {
    const url = new URL("/res/v1/web/search", origin);
    url.searchParams.set("q", withSites(query).slice(0, 400).toWellFormed());
    url.searchParams.set("count", String(query.filters.blocked.length > 0 ? PLENTY : MOST_RESULTS));
    url.searchParams.set("result_filter", "web");
    return {
      method: "GET",
      url: url.href,
      headers: { "x-subscription-token": key, ...placeHeaders(query) },
      body: null,
    };
  },
  read(body) {
    if (!isRecord(body)) return null;
    // Without any result the part is missing.
    if (body["web"] === undefined || body["web"] === null) return body["query"] === undefined ? null : [];
    return readResults(body["web"], (entry) =>
      searchResult({
        title: entry["title"],
        url: entry["url"],
        snippet: entry["description"],
        age: firstText(entry["age"], entry["page_age"]),
      }),
    );
  },
  failures: { 422: "auth" },
};

/**
 * Tavily: `POST /search` with a bearer, `{query, max_results, include_domains, exclude_domains}`; `results[]` have
 * `title`, `url`, `content`, `published_date`. 432 and 433 say that the plan or the pay-as-you-go limit is used up
 * (docs.tavily.com/documentation/api-reference/endpoint/search). A basic search is one credit of $0.008
 * (docs.tavily.com/documentation/api-credits).
 */
const tavily: SearchEngine = {
  label: "Tavily",
  needsKey: true,
  keysUrl: "https://app.tavily.com/home",
  price: { nano: 8_000_000, source: "docs.tavily.com/documentation/api-credits", asOf: "2026-11-24" },
  origin: "https://api.tavily.com",
  request(origin, { text, filters }, key) {
    return {
      method: "POST",
      url: new URL("/search", origin).href,
      headers: { authorization: `Bearer ${key}`, ...JSON_TYPE },
      body: JSON.stringify({
        query: text,
        search_depth: "basic",
        max_results: MOST_RESULTS,
        ...(filters.allowed.length === 0 ? {} : { include_domains: listHosts(filters.allowed) }),
        ...(filters.blocked.length === 0 ? {} : { exclude_domains: listHosts(filters.blocked) }),
      }),
    };
  },
  read: (body) =>
    readResults(body, (entry) =>
      searchResult({
        title: entry["title"],
        url: entry["url"],
        snippet: entry["content"],
        age: entry["published_date"],
      }),
    ),
  failures: { 432: "credit", 433: "credit" },
};

/**
 * Exa: `POST /search` with `x-api-key`, `{query, numResults, includeDomains, excludeDomains, contents}`; `results[]` have
 * `title`, `url`, `publishedDate`, and `highlights` or `text` as asked for in `contents` (exa.ai/docs/reference/search).
 * `userLocation` is a country of two letters (exa.ai/docs/changelog/geolocation-filter-support, read 2026-11-24).
 * $7 for 1,000 searches of up to ten results with their contents (exa.ai/docs/reference/pricing).
 */
const exa: SearchEngine = {
  label: "Exa",
  needsKey: true,
  keysUrl: "https://dashboard.exa.ai/api-keys",
  price: { nano: 7_000_000, source: "exa.ai/docs/reference/pricing", asOf: "2026-11-24" },
  origin: "https://api.exa.ai",
  request(origin, { text, filters, place }, key) {
    return {
      method: "POST",
      url: new URL("/search", origin).href,
      headers: { "x-api-key": key, ...JSON_TYPE },
      body: JSON.stringify({
        query: text,
        numResults: MOST_RESULTS,
        ...(place?.country == null ? {} : { userLocation: place.country }),
        contents: { text: { maxCharacters: 1_200 } },
        ...(filters.allowed.length === 0 ? {} : { includeDomains: listHosts(filters.allowed) }),
        ...(filters.blocked.length === 0 ? {} : { excludeDomains: listHosts(filters.blocked) }),
      }),
    };
  },
  read: (body) =>
    readResults(body, (entry) => {
      const highlights = Array.isArray(entry["highlights"]) ? entry["highlights"].join(" … ") : "";
      return searchResult({
        title: entry["title"],
        url: entry["url"],
        snippet: firstText(highlights, entry["text"], entry["summary"]),
        age: readDay(entry["publishedDate"]),
      });
    }),
  failures: { 402: "credit" },
};

/**
 * SearXNG: `GET /search?q=…&format=json`; `results[]` have `title`, `url`, `content`, `publishedDate`. A 403 means that
 * `search.formats` in its `settings.yml` lacks `json` (docs.searxng.org/dev/search_api). Searches are free, because the
 * user runs the server.
 */
const searxng: SearchEngine = {
  label: "SearXNG",
  needsKey: false,
  keysUrl: null,
  price: { nano: 0, source: "your own server", asOf: "2026-11-24" },
  origin: null,
  request(origin, query) {
    const base = new URL(origin);
    const url = new URL(`${base.pathname.replace(/\/(search)?\/?$/, "")}/search`, base);
    url.searchParams.set("q", withSites(query));
    url.searchParams.set("format", "json");
    return { method: "GET", url: url.href, headers: {}, body: null };
  },
  read: (body) =>
    readResults(body, (entry) =>
      searchResult({
        title: entry["title"],
        url: entry["url"],
        snippet: entry["content"],
        age: readDay(entry["publishedDate"]),
      }),
    ),
  failures: { 403: "refused" },
};

export const searchEngines: Readonly<Record<Exclude<SearchProvider, "none">, SearchEngine>> = {
  brave,
  tavily,
  exa,
  searxng,
};
