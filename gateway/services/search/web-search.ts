import type { SearchProvider } from "../../contract/settings.ts";
import type { SearchTest, SearchView } from "../../contract/search.ts";
import { GatewayError } from "../../core/errors.ts";
import { SearchError } from "../../core/search/search-error.ts";
import type { SearchFailure } from "../../core/search/search-error.ts";
import { NO_FILTERS, filterResults } from "../../core/search/search-result.ts";
import type { SearchResult } from "../../core/search/search-result.ts";
import type { Price } from "../../core/models/model.ts";
import { parseJson } from "../../lib/json.ts";
import { nanoFromUsd, usdFromNano } from "../../lib/money.ts";
import { secretHint } from "../../lib/redact.ts";
import { isRecord } from "../../lib/records.ts";
import type { Store } from "../../store/store.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { ServiceClient, ServiceReply } from "../../upstream/service-client.ts";
import type { Events } from "../events.ts";
import type { AppSettings } from "../settings.ts";
import { searchEngines } from "./engines.ts";
import type { SearchEngine, SearchQuery } from "./search-engine.ts";

type EngineId = Exclude<SearchProvider, "none">;

export interface WebSearchDeps {
  readonly store: Pick<Store, "document" | "secrets" | "change">;
  readonly settings: AppSettings;
  readonly events: Pick<Events, "emit">;
  readonly client: ServiceClient;
  /** The engines' own addresses, unless a test has others. */
  readonly origins?: Readonly<Partial<Record<EngineId, string>>>;
}

const PER_MILLION = 1_000_000;
const TEST_QUERY = "Postern gateway";
const KEY_PLACE = "under Settings > Search, or with `postern search key`";

/** The owner's search: which service, its key, its price, and one search of it. */
export class WebSearch {
  readonly #deps: WebSearchDeps;

  constructor(deps: WebSearchDeps) {
    this.#deps = deps;
  }

  get provider(): SearchProvider {
    return this.#deps.settings.get("search_provider");
  }

  /** Whether there may be conversations with searches of Postern: one is set, or was. */
  get wasSet(): boolean {
    const { search_keys, searxng_url, search_provider } = this.#deps.settings.stored;
    return search_keys !== undefined || searxng_url != null || (search_provider ?? "none") !== "none";
  }

  /** Whether a usable search service is configured. */
  get ready(): boolean {
    return this.provider !== "none" && this.#problem() === null;
  }

  /** The price of one search. Null: unpriced. */
  get price(): Price | null {
    const { provider } = this;
    if (provider === "none") return null;
    const { price } = searchEngines[provider];
    const own = this.#deps.settings.get("search_price_usd");
    const nano = own === null ? price.nano : nanoFromUsd(own);
    return {
      source: own === null ? price.source : "your own price",
      as_of: price.asOf,
      tiers: [{ above: 0, rates: { web_search: nano * PER_MILLION } }],
    };
  }

  view(): SearchView {
    const { provider } = this;
    const engine = provider === "none" ? null : searchEngines[provider];
    const price = this.price?.tiers[0]?.rates.web_search;
    return {
      provider,
      key_hint: this.#findStored(provider)?.hint ?? null,
      needs_key: engine?.needsKey ?? false,
      keys_url: engine?.keysUrl ?? null,
      price_usd: price === undefined ? null : usdFromNano(price / PER_MILLION),
      published_usd: engine === null ? null : usdFromNano(engine.price.nano),
      problem: provider === "none" ? null : this.#problem(),
    };
  }

  /** @param key null removes it. @throws GatewayError storage_unavailable while secrets cannot be written */
  async setKey(provider: EngineId, key: string | null): Promise<SearchView> {
    const { store, events } = this.#deps;
    const { locked } = store.secrets;
    if (locked !== null) throw new GatewayError("storage_unavailable", locked);
    const before = this.#findStored(provider);
    const made =
      key === null
        ? null
        : { id: await store.secrets.add(key, searchEngines[provider].origin ?? ""), hint: secretHint(key) };
    await store.change("settings", "settings", (newest) => {
      const { [provider]: _gone, ...others } = newest?.search_keys ?? {};
      return {
        ...(newest ?? this.#deps.settings.stored),
        search_keys: made === null ? others : { ...others, [provider]: made },
      };
    });
    // When the disk refuses this, it stays in the secrets file, encrypted, and nothing names it.
    if (before !== undefined) await store.secrets.remove([before.id]).catch(() => undefined);
    events.emit({ type: "settings.changed" });
    return this.view();
  }

  /** Makes one real search, which the service may charge. It is the owner's, so it has no receipt. */
  async test(signal: AbortSignal): Promise<SearchTest> {
    const startedAt = performance.now();
    const ms = (): number => Math.round(performance.now() - startedAt);
    try {
      const results = await this.search({ text: TEST_QUERY, filters: NO_FILTERS, place: null }, signal);
      return { ok: true, ms: ms(), results: results.length, message: results[0]?.title ?? "" };
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      return { ok: false, ms: ms(), results: 0, message: error.message };
    }
  }

  /** @throws SearchError */
  async search(query: SearchQuery, signal: AbortSignal): Promise<readonly SearchResult[]> {
    const { provider } = this;
    const problem = provider === "none" ? "No search service is set." : this.#problem();
    if (provider === "none" || problem !== null) throw new SearchError("auth", problem ?? "");
    const engine = searchEngines[provider];
    const origin = this.#origin(provider) ?? "";
    const request = engine.request(origin, query, this.#key(provider) ?? "");
    let reply: ServiceReply;
    try {
      reply = await this.#deps.client.ask(request, signal);
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      throw new SearchError("down", `${engine.label} did not respond: ${error.message}.`, error.sent);
    }
    const body = parseJson(reply.body);
    if (reply.status !== 200) throw toRefusal(engine, reply, body);
    const results = engine.read(body);
    if (results === null) {
      throw new SearchError("down", `${engine.label} sent something that is no list of results.`, true);
    }
    return filterResults(results, query.filters);
  }

  /** Returns why it cannot be used; null if it can. */
  #problem(): string | null {
    const { provider } = this;
    if (provider === "none") return null;
    const { label, needsKey } = searchEngines[provider];
    if (!needsKey) {
      return this.#origin(provider) === null ? "Set the address of your SearXNG under Settings > Search." : null;
    }
    if (this.#findStored(provider) === undefined) return `${label} needs a key: set it ${KEY_PLACE}.`;
    if (this.#key(provider) !== undefined) return null;
    return this.#deps.store.secrets.locked ?? `The key of ${label} cannot be read any more: set it again ${KEY_PLACE}.`;
  }

  #origin(provider: EngineId): string | null {
    return this.#deps.origins?.[provider] ?? searchEngines[provider].origin ?? this.#deps.settings.get("searxng_url");
  }

  #findStored(provider: SearchProvider) {
    return this.#deps.settings.stored.search_keys?.[provider];
  }

  #key(provider: EngineId): string | undefined {
    const stored = this.#findStored(provider);
    return stored === undefined ? undefined : this.#deps.store.secrets.get(stored.id);
  }
}

const USUAL: Readonly<Record<number, SearchFailure>> = { 401: "auth", 402: "credit", 403: "auth", 429: "rate" };

function toRefusal(engine: SearchEngine, { status, retryAfter }: ServiceReply, body: unknown): SearchError {
  const failure = engine.failures[status] ?? USUAL[status] ?? (status >= 500 ? "down" : "refused");
  const message = readMessage(body);
  const because = message === "" ? "" : ` It says: ${message}`;
  const { label } = engine;
  switch (failure) {
    case "auth":
      return new SearchError(failure, `${label} refuses its key: replace it ${KEY_PLACE}.${because}`);
    case "credit":
      return new SearchError(failure, `The account at ${label} has no searches left: top it up there.${because}`);
    case "rate": {
      const wait = retryAfter === null ? "" : ` Try again in ${Math.ceil(retryAfter / 1_000)} s.`;
      return new SearchError(failure, `${label} takes no more searches just now.${wait}${because}`);
    }
    case "down":
      return new SearchError(failure, `${label} failed with status ${status}. Try again later.${because}`, true);
    default: {
      const format = engine.needsKey
        ? ""
        : " SearXNG does so where `json` is not among `search.formats` in its settings.yml.";
      return new SearchError(failure, `${label} refused the search with status ${status}.${format}${because}`);
    }
  }
}

/** Returns the error message of a service, from any of the fields in use. */
function readMessage(body: unknown): string {
  if (!isRecord(body)) return "";
  const { detail, error, message } = body;
  for (const value of [detail, error, message]) {
    if (typeof value === "string") return value.slice(0, 200);
    if (!isRecord(value)) continue;
    const inner = value["error"] ?? value["message"] ?? value["detail"];
    if (typeof inner === "string") return inner.slice(0, 200);
  }
  return "";
}
