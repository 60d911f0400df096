import { findEnding } from "../../gateway/catalog/endings.ts";
import { allModels, findModel } from "../../gateway/catalog/lookup.ts";
import type { UnitClass } from "../../gateway/contract/receipt.ts";
import type { ModelSpec, Price } from "../../gateway/core/models/model.ts";
import { findPriceOnDay, choosePrice, findRate, findTier } from "../../gateway/core/money/price.ts";
import { isRecord } from "../../gateway/lib/records.ts";

/** One model of a list. */
export interface ListedModel {
  readonly owner: string;
  /** The owner's own id. */
  readonly id: string;
  /** As the list writes it, with what it is for. */
  readonly shown: string;
  /** Nano USD for 10⁶ units, by what they are for. */
  readonly rates: readonly ListedRate[];
  /** Factors of tiers of service. */
  readonly factors: Readonly<Record<string, number>>;
  /** The day of its end; null where the list names none. */
  readonly end: string | null;
}

interface ListedRate {
  readonly unit: UnitClass;
  readonly rate: number;
  /** Prompt tokens above which it holds; 0 for the first tier. */
  readonly above: number;
  /** Facts that it holds for, such as a resolution. */
  readonly when?: Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** LiteLLM's beginnings of an owner's keys, and its name of the provider. */
const LITELLM_OWNERS: Readonly<Record<string, readonly [prefix: string, provider: string]>> = {
  openai: ["", "openai"],
  anthropic: ["", "anthropic"],
  google: ["gemini/", "gemini"],
  xai: ["xai/", "xai"],
  mistral: ["mistral/", "mistral"],
  dashscope: ["dashscope/", "dashscope"],
  deepseek: ["deepseek/", "deepseek"],
  moonshot: ["moonshot/", "moonshot"],
  zhipu: ["zai/", "zai"],
  minimax: ["minimax/", "minimax"],
};

/** LiteLLM's fields of USD a unit, by class. The first that it has counts. */
const LITELLM_FIELDS: readonly (readonly [UnitClass, ...string[]])[] = [
  ["input", "input_cost_per_token"],
  ["cached_input", "cache_read_input_token_cost"],
  ["cache_write", "cache_creation_input_token_cost"],
  ["cache_write_1h", "cache_creation_input_token_cost_above_1hr", "cache_creation_input_token_cost_above_12hr"],
  ["output", "output_cost_per_token"],
  ["audio_input", "input_cost_per_audio_token"],
  ["audio_output", "output_cost_per_audio_token"],
  ["image_input", "input_cost_per_image_token"],
  ["image_output", "output_cost_per_image_token"],
];
const TIERS = ["flex", "priority", "ultrafast", "fast"] as const;
const NANO = 1e15;

const numberIn = (fields: Fields, ...names: readonly string[]): number | undefined =>
  names.map((name) => fields[name]).find((one): one is number => typeof one === "number" && one > 0);

/** The models of LiteLLM's price file that their owners sell. */
export function readLiteLlm(list: Fields): ListedModel[] {
  return Object.entries(list).flatMap(([key, fields]): ListedModel[] => {
    if (!isRecord(fields)) return [];
    const owned = Object.entries(LITELLM_OWNERS).find(
      ([, [prefix, provider]]) => fields["litellm_provider"] === provider && key.startsWith(prefix),
    );
    if (owned === undefined) return [];
    const id = key.slice(owned[1][0].length);
    if (id.includes("/")) return [];
    const end = typeof fields["deprecation_date"] === "string" ? fields["deprecation_date"] : null;
    const output = numberIn(fields, "output_cost_per_token");
    const factors = TIERS.flatMap((tier) => {
      const faster = numberIn(fields, `output_cost_per_token_${tier}`);
      return output === undefined || faster === undefined ? [] : [[tier, faster / output] as const];
    });
    const shown = `${key} (${String(fields["mode"])})`;
    const rates = [...tokenRates(fields), ...pieceRates(fields)];
    return [{ owner: owned[0], id, shown, rates, factors: Object.fromEntries(factors), end }];
  });
}

function tokenRates(fields: Fields): ListedRate[] {
  const rates: ListedRate[] = [];
  for (const [unit, ...names] of LITELLM_FIELDS) {
    const first = numberIn(fields, ...names);
    if (first !== undefined) rates.push({ unit, rate: first * NANO, above: 0 });
    // `input_cost_per_token_above_272k_tokens`: for longer prompts.
    for (const [field, usd] of Object.entries(fields)) {
      const long = /^(.*)_above_(\d+)k_tokens$/.exec(field);
      if (long !== null && long[1] === names[0] && typeof usd === "number" && usd > 0)
        rates.push({ unit, rate: usd * NANO, above: Number(long[2]) * 1_000 });
    }
  }
  const tiers: unknown = fields["tiered_pricing"];
  for (const tier of Array.isArray(tiers) ? (tiers as unknown[]).filter(isRecord) : [])
    for (const [unit, ...names] of LITELLM_FIELDS) {
      const rate = numberIn(tier, ...names);
      const above = Array.isArray(tier["range"]) ? Number(tier["range"][0]) : 0;
      if (rate !== undefined) rates.push({ unit, rate: rate * NANO, above });
    }
  return rates;
}

/** Images, seconds and searches. What a model for images costs for each one stands in either of two fields. */
function pieceRates(fields: Fields): ListedRate[] {
  const rates: ListedRate[] = [];
  const add = (unit: UnitClass, usd: number | undefined, when?: ListedRate["when"]): void => {
    if (usd !== undefined) rates.push({ unit, rate: usd * NANO, above: 0, ...(when === undefined ? {} : { when }) });
  };
  // Next to rates for tokens it is what an image of the usual size comes to.
  const isByToken = numberIn(fields, "output_cost_per_image_token", "output_cost_per_token") !== undefined;
  if (fields["mode"] === "image_generation" && !isByToken)
    add("image", numberIn(fields, "output_cost_per_image", "input_cost_per_image"));
  for (const resolution of ["480p", "720p", "1080p"])
    add("second", numberIn(fields, `output_cost_per_second_${resolution}`), { resolution });
  const searches = fields["search_context_cost_per_query"];
  if (isRecord(searches)) add("web_search", numberIn(searches, "search_context_size_medium"));
  return rates;
}

const GENAI_OWNERS: Readonly<Record<string, string>> = {
  openai: "openai",
  anthropic: "anthropic",
  google: "google",
  "x-ai": "xai",
  mistral: "mistral",
  deepseek: "deepseek",
  moonshotai: "moonshot",
  zai: "zhipu",
  minimax: "minimax",
  voyageai: "voyage",
};

/** genai-prices' fields, by class, with how many units each is for. */
const GENAI_FIELDS: readonly (readonly [UnitClass, string, number])[] = [
  ["input", "input_mtok", 1e6],
  ["cached_input", "cache_read_mtok", 1e6],
  ["cache_write", "cache_write_mtok", 1e6],
  ["cache_write_1h", "cache_write_1h_mtok", 1e6],
  ["output", "output_mtok", 1e6],
  ["audio_input", "input_audio_mtok", 1e6],
  ["cached_audio_input", "cache_audio_read_mtok", 1e6],
  ["audio_output", "output_audio_mtok", 1e6],
  ["image_input", "input_image_mtok", 1e6],
  ["image_output", "output_image_mtok", 1e6],
  ["web_search", "web_searches_kcount", 1e3],
  ["file_search", "storage_searches_kcount", 1e3],
];

/** The models of pydantic's genai-prices. @param list its `providers` as JSON @param day the UTC day of the prices */
export function readGenaiPrices(list: readonly unknown[], day: string): ListedModel[] {
  return list.filter(isRecord).flatMap(({ id: provider, models }) => {
    const owner = GENAI_OWNERS[String(provider)];
    if (owner === undefined || !Array.isArray(models)) return [];
    return (models as unknown[]).filter(isRecord).map(({ id, prices }): ListedModel => {
      const fields = heldOnDay(prices, day);
      const rates = GENAI_FIELDS.flatMap(([unit, field, units]) => ratesIn(unit, fields[field], units));
      return { owner, id: String(id), shown: `${String(provider)} ${String(id)}`, rates, factors: {}, end: null };
    });
  });
}

/** The last of several prices that has started; one for hours of the day is left out. */
function heldOnDay(prices: unknown, day: string): Fields {
  if (!Array.isArray(prices)) return isRecord(prices) ? prices : {};
  const pending = (prices as unknown[]).filter(isRecord).filter(({ constraint }) => {
    if (!isRecord(constraint)) return true;
    return constraint["type"] === "StartDateConstraint" && String(constraint["start_date"]) <= day;
  });
  const last = pending.at(-1)?.["prices"];
  return isRecord(last) ? last : {};
}

function ratesIn(unit: UnitClass, price: unknown, units: number): ListedRate[] {
  const rate = (usd: number, above: number): ListedRate => ({ unit, rate: (usd / units) * NANO, above });
  if (typeof price === "number") return price > 0 ? [rate(price, 0)] : [];
  if (!isRecord(price)) return [];
  const { base, tiers } = price;
  const higher = Array.isArray(tiers) ? (tiers as unknown[]).filter(isRecord) : [];
  return [
    ...(typeof base === "number" && base > 0 ? [rate(base, 0)] : []),
    ...higher.map((tier) => rate(Number(tier["price"]), Number(tier["start"]))),
  ];
}

/** Reasons of differences that are right, by the model's id (or its beginning) and what differs. */
const EXPLAINED: readonly (readonly [id: RegExp, what: RegExp, why: string])[] = [
  [/^deepseek-/, /./, "the lists have the rate of peak hours; the catalog has both by the hour"],
  [/^gpt-4o(-mini)?-transcribe/, /^audio_input$/, "OpenAI's page has a rate for heard tokens; the lists that of words"],
  [/^gpt-4o-mini-tts$/, /^output$/, "it makes nothing but sound, which has its rate"],
  [/^gemini-/, /^web_search$/, "Postern offers no search of Google's, and the first ones of a day are free"],
  [
    /^gpt-(4o|4\.1)/,
    /^web_search$/,
    "LiteLLM has $25 for a thousand of the preview's, genai-prices $10 of the new tool's",
  ],
  [/^(gpt-image|delta-image)-/, /^output$/, "genai-prices has the rate of images for words, too"],
  [/^grok-(4-1-fast|code-fast)/, /./, "they respond as newer models since 15 May 2026, at the prices of those"],
  [
    /^qwen3-coder-plus$/,
    /^cached_input/,
    "LiteLLM has the rate of caches made on request, which usage does not tell apart",
  ],
  [/^(alpha|beta|wan)/, /^second/, "LiteLLM has Beijing's price; the catalog that of Singapore"],
];

export interface Comparison {
  readonly compared: number;
  readonly differences: readonly string[];
  readonly explained: readonly string[];
  readonly missing: readonly string[];
}

/** @param day the UTC day of the prices, `YYYY-MM-DD` */
export function compareCatalog(listed: readonly ListedModel[], day: string): Comparison {
  const byName = new Map(listed.map((model) => [nameOf(model.owner, model.id), model]));
  const differences: string[] = [];
  const explained: string[] = [];
  let compared = 0;
  for (const spec of allModels()) {
    const model = [spec.upstreamId ?? spec.id, spec.id].map((id) => byName.get(nameOf(spec.owner, id))).find(Boolean);
    if (model === undefined) continue;
    compared += 1;
    for (const [what, ours, theirs] of differencesOf(spec, model, day)) {
      const line = `${spec.id} ${what}: ${String(ours)} here, ${String(theirs)} there`;
      const why = EXPLAINED.find(([id, of]) => id.test(spec.id) && of.test(what))?.[2];
      if (why === undefined) differences.push(line);
      else explained.push(`${line} (${why})`);
    }
  }
  const missing = listed.filter(({ id, end }) => findModel(id) === undefined && (end === null || end > day));
  return { compared, differences, explained, missing: missing.map(({ shown }) => shown) };
}

const nameOf = (owner: string, id: string): string => `${owner}/${id.toLowerCase()}`;

type Difference = readonly [what: string, ours: unknown, theirs: unknown];

function differencesOf(spec: ModelSpec, model: ListedModel, day: string): Difference[] {
  const found: Difference[] = [];
  const price = findPriceOnDay(spec.price, day);
  for (const listed of model.rates) {
    const ours = price === null ? undefined : ourRate(price, listed);
    if (ours !== undefined && Math.abs(listed.rate - ours) <= listed.rate * 0.005) continue;
    const names = [...(listed.above === 0 ? [] : [`above ${listed.above}`]), ...Object.values(listed.when ?? {})];
    const what = [listed.unit, ...names].join(" ");
    found.push([what, ours === undefined ? "unpriced" : ours / 1e9, Number((listed.rate / 1e9).toPrecision(6))]);
  }
  if (price !== null)
    for (const [tier, theirs] of Object.entries(model.factors)) {
      const ours = price.factors?.["service_tier"]?.[tier];
      if (ours === undefined || Math.abs(ours - theirs) >= 0.02) found.push([tier, ours ?? "unknown", theirs]);
    }
  const ends = findEnding(spec)?.on;
  if (model.end !== null && model.end !== ends) found.push(["end", ends ?? "none", model.end]);
  return found;
}

function ourRate(price: Price, { unit, above, when }: ListedRate): number | undefined {
  return findRate(findTier(when === undefined ? price : choosePrice(price, when), above + 1), unit);
}
