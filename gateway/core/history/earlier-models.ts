import { usdPerMillion } from "../models/catalog-entry.ts";
import type { PriceSource, UsdRates } from "../models/catalog-entry.ts";
import type { ModelSpec, Price } from "../models/model.ts";

/**
 * Prices of retired models that agents used; the catalog only has models that are still served. Pydantic's price
 * collection, version 0.2.3 (https://github.com/pydantic/genai-prices, read 2026-11-24); for Sonnet 4 beyond 200,000
 * tokens, Anthropic's common price for it and Sonnet 4.5.
 */
const SOURCE: PriceSource = { source: "pydantic/genai-prices 0.2.3", as_of: "2026-11-24" };

export type EarlierModel = Pick<ModelSpec, "owner" | "id"> & { readonly price: Price };

const claudeRates = (input: number, output: number, cached: number, write = input * 1.25): UsdRates => ({
  input,
  cached_input: cached,
  cache_write: write,
  cache_write_1h: input * 2,
  output,
});

const claude = (id: string, ...[input, output, cached, write]: Parameters<typeof claudeRates>): EarlierModel => ({
  owner: "anthropic",
  id,
  price: usdPerMillion(SOURCE, claudeRates(input, output, cached, write)),
});

const openai = (id: string, input: number, output: number, cached: number): EarlierModel => ({
  owner: "openai",
  id,
  price: usdPerMillion(SOURCE, { input, output, cached_input: cached }),
});

const LONG = 200_000;

const MODELS: readonly EarlierModel[] = [
  {
    owner: "anthropic",
    id: "claude-sonnet-4",
    price: usdPerMillion(SOURCE, claudeRates(3, 15, 0.3), { above: LONG, rates: claudeRates(6, 22.5, 0.6) }),
  },
  claude("claude-opus-4", 15, 75, 1.5),
  claude("claude-3-7-sonnet", 3, 15, 0.3),
  claude("claude-3-5-sonnet", 3, 15, 0.3),
  claude("claude-3-5-haiku", 0.8, 4, 0.08),
  claude("claude-3-opus", 15, 75, 1.5),
  claude("claude-3-haiku", 0.25, 1.25, 0.03, 0.3),
  openai("gpt-5.2-codex", 1.75, 14, 0.175),
  openai("gpt-5.1-codex-max", 1.25, 10, 0.125),
  openai("gpt-5.1-codex", 1.25, 10, 0.125),
  openai("gpt-5.1-codex-mini", 0.25, 2, 0.025),
  openai("gpt-5-codex", 1.25, 10, 0.125),
  openai("codex-mini", 1.5, 6, 0.375),
];

const byId = new Map(MODELS.map((model) => [model.id, model]));
/** Suffixes that owners append to an id: `-20250514`, `@20250514`, `-latest`, `-0`. */
const BEHIND = /(?:[-@]\d{8}|-latest|-0)$/;

/** @param model in lower case, without resellers' prefixes */
export const earlierModel = (model: string): EarlierModel | undefined =>
  byId.get(model) ?? byId.get(model.replace(BEHIND, ""));
