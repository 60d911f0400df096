import type { UnitClass } from "../../contract/receipt.ts";
import { isRecord } from "../../lib/records.ts";
import type { ListedPrice } from "./discovered-model.ts";
import type { PriceTier, PromptMedium } from "./model.ts";

type Pricing = Readonly<Record<string, unknown>>;
type Rates = Partial<Record<UnitClass, number>>;

/**
 * Fields of an OpenRouter-style price list (USD per unit, as decimal text) with their unit classes
 * (https://openrouter.ai/docs/client-sdks/typescript/models/pricing).
 */
const CLASSES: Readonly<Record<string, UnitClass>> = {
  prompt: "input",
  completion: "output",
  input_cache_read: "cached_input",
  input_cache_write: "cache_write",
  input_cache_write_1h: "cache_write_1h",
  internal_reasoning: "reasoning",
  audio: "audio_input",
  input_audio_cache: "cached_audio_input",
  audio_output: "audio_output",
  image_token: "image_input",
  image_output: "image_output",
  web_search: "web_search",
  request: "request",
};

/** Fields in which older lists write 0 if there is no separate price. */
const NONE_AT_ZERO: ReadonlySet<string> = new Set([
  "internal_reasoning",
  "audio",
  "input_audio_cache",
  "audio_output",
  "image_token",
  "image_output",
  "web_search",
  "request",
]);

/**
 * Reads the `pricing` of a model in an OpenRouter-style list. Returns null for a price that is not fully understood:
 * one that varies (`-1`), one with a discount that may already be applied, one that depends on the time of day, or one
 * with an unknown field that is not about a medium.
 */
export function listedPrice(pricing: unknown): ListedPrice | null {
  if (!isRecord(pricing)) return null;
  const { overrides, discount, ...base } = pricing;
  if (discount !== undefined && discount !== null && getRate(discount) !== 0) return null;
  const bands = getBands(overrides);
  if (bands === null) return null;
  const thresholds = [...new Set(bands.map(({ from }) => from))].toSorted((one, other) => one - other);
  const prices = [0, ...thresholds].map((from) => {
    // Later applicable overrides win, field by field.
    const merged = Object.assign({}, base, ...bands.filter((band) => band.from <= from).map(({ fields }) => fields));
    return { from, read: getRates(merged) };
  });
  const tiers: PriceTier[] = [];
  const media = new Set<PromptMedium>();
  for (const { from, read } of prices) {
    if (read === null) return null;
    for (const medium of read.media) media.add(medium);
    tiers.push({ above: Math.max(0, from - 1), rates: read.rates });
  }
  const isFree = media.size === 0 && tiers.every(({ rates }) => Object.values(rates).every((rate) => rate === 0));
  return { tiers, ...(isFree ? { always: true } : {}), ...(media.size === 0 ? {} : { unmetered: [...media] }) };
}

interface Band {
  /** Prompt tokens from which it applies. */
  readonly from: number;
  readonly fields: Pricing;
}

/** Null if one of them depends on anything but the prompt length. */
function getBands(overrides: unknown): readonly Band[] | null {
  if (overrides === undefined || overrides === null) return [];
  if (!Array.isArray(overrides)) return null;
  const bands: Band[] = [];
  for (const override of overrides as readonly unknown[]) {
    if (!isRecord(override)) return null;
    const { min_prompt_tokens: from, ...fields } = override;
    if (typeof from !== "number" || !Number.isSafeInteger(from) || from < 1) return null;
    bands.push({ from, fields });
  }
  return bands;
}

interface ReadRates {
  readonly rates: Rates;
  /** Each of these in a prompt has a price, and usage does not tell how many there were. */
  readonly media: readonly PromptMedium[];
}

function getRates(pricing: Pricing): ReadRates | null {
  const rates: Rates = {};
  const media: PromptMedium[] = [];
  for (const [field, value] of Object.entries(pricing)) {
    if (value === undefined || value === null) continue;
    const rate = getRate(value);
    if (rate === null) return null;
    const unit = Object.hasOwn(CLASSES, field) ? CLASSES[field] : undefined;
    if (unit !== undefined) {
      if (rate > 0 || !NONE_AT_ZERO.has(field)) rates[unit] = rate;
    } else if (rate > 0) {
      // The price is per image, or per image token if it equals a text token's price.
      if (field === "image" && rate === getRate(pricing["prompt"])) continue;
      const medium = MEDIA.find((known) => field.includes(known));
      if (medium === undefined) return null;
      media.push(medium);
    }
  }
  return rates.input === undefined || rates.output === undefined ? null : { rates, media };
}

const MEDIA: readonly PromptMedium[] = ["image", "audio", "video", "file"];

/** USD for one unit, number or decimal text, as nano for 10⁶ units; null for what is no price. */
export function getRate(value: unknown): number | null {
  const usd =
    typeof value === "number" ? value : typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  if (!Number.isFinite(usd) || usd < 0) return null;
  const nanoPerMillion = Math.round(usd * 1e15);
  return Number.isSafeInteger(nanoPerMillion) ? nanoPerMillion : null;
}
