/** A page that a search found. */
export interface SearchResult {
  readonly title: string;
  readonly url: string;
  /** The search service's plain-text summary of the page. */
  readonly snippet: string;
  /** Publication date or age as given by the service; null if unknown. */
  readonly age: string | null;
}

/** A result with its number in the conversation, by which a model cites it. */
export interface NumberedResult extends SearchResult {
  readonly number: number;
}

/** Allowed and blocked hosts of results, subdomains included. Empty lists do not filter. */
export interface SearchFilters {
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
}

export const NO_FILTERS: SearchFilters = { allowed: [], blocked: [] };

/** Max results of one search. More would fill contexts that models of this size do not have. */
export const MOST_RESULTS = 8;
const LONGEST_SNIPPET = 1_500;
const LONGEST_TITLE = 300;
const LONGEST_URL = 2_000;

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'" };

/** Removes the markup that services put around matched words. */
function writePlainText(value: unknown, longest: number): string {
  if (typeof value !== "string") return "";
  const text = value
    .replaceAll(/<\/?[a-z][^<>]{0,100}>/gi, "")
    .replaceAll(/&(amp|lt|gt|quot|#39|#x27);/g, (_whole, name: string) => ENTITIES[name] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}

/** Reads a service's entry for a page; null if it cannot be shown. */
export function searchResult(fields: {
  readonly title: unknown;
  readonly url: unknown;
  readonly snippet: unknown;
  readonly age: unknown;
}): SearchResult | null {
  const url = typeof fields.url === "string" && fields.url.length <= LONGEST_URL ? URL.parse(fields.url) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  const age = writePlainText(fields.age, 60);
  return {
    title: writePlainText(fields.title, LONGEST_TITLE) || url.hostname,
    url: url.href,
    snippet: writePlainText(fields.snippet, LONGEST_SNIPPET),
    age: age === "" ? null : age,
  };
}

/** The host of a rule as clients write them: `example.com`, `https://example.com/docs`, `*.example.com`. */
function readRule(domain: string): { readonly host: string; readonly path: string } {
  const bare = domain
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/^\*\./, "")
    .replace(/^www\./, "");
  const slash = bare.indexOf("/");
  return slash === -1 ? { host: bare, path: "" } : { host: bare.slice(0, slash), path: bare.slice(slash) };
}

function isWithin(url: URL, domain: string): boolean {
  const { host, path } = readRule(domain);
  if (host === "") return false;
  const own = url.hostname.toLowerCase();
  return (own === host || own.endsWith(`.${host}`)) && (path === "" || path === "/" || url.pathname.startsWith(path));
}

/** The user's location as reported by the client; each field short and in plain letters. */
export interface SearchPlace {
  /** Two letters, as `AT`. */
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
  /** IANA name, such as `Europe/Vienna`. */
  readonly timezone: string | null;
}

/**
 * Returns the results that pass the filters, each page once, at most `MOST_RESULTS`. Some services also filter
 * themselves.
 */
export function filterResults(results: readonly SearchResult[], filters: SearchFilters): readonly SearchResult[] {
  const seen = new Set<string>();
  return results
    .filter(({ url }) => {
      const parsed = URL.parse(url);
      if (parsed === null || seen.has(url)) return false;
      seen.add(url);
      if (filters.blocked.some((domain) => isWithin(parsed, domain))) return false;
      return filters.allowed.length === 0 || filters.allowed.some((domain) => isWithin(parsed, domain));
    })
    .slice(0, MOST_RESULTS);
}

/** Returns only hosts, for services that filter by them. */
export const listHosts = (domains: readonly string[]): readonly string[] => [
  ...new Set(domains.map((domain) => readRule(domain).host).filter((host) => host !== "")),
];

/** Formats search results for the model. Equal results give equal text, so that prompt caches hit. */
export function resultsText(results: readonly NumberedResult[]): string {
  if (results.length === 0) return "The search found nothing.";
  const entries = results.map(({ number, title, url, snippet, age }) =>
    [`[${number}] ${title}`, url, ...(age === null ? [] : [age]), ...(snippet === "" ? [] : [snippet])].join("\n"),
  );
  return `${entries.join("\n\n")}\n\nCite what you use by its number in brackets, such as [${results[0]?.number ?? 1}], right behind the statement.`;
}
