import type { UnitClass } from "../../contract/receipt.ts";
import { isRecord } from "../../lib/records.ts";
import type { ListedPrice } from "./discovered-model.ts";
import type { PriceTier, PromptMedium } from "./model.ts";

type Pricing = Readonly<Record<string, unknown>>;
type Rates = Partial<Record<UnitClass, number>>;

/**
 * The fields of a list of OpenRouter's kind, USD for one unit as decimal text, and what they are billed as
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

/** Fields in which older lists write 0 for what has no price of its own. */
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
 * Reads the `pricing` of a model in a list of OpenRouter's kind. Returns null for a price that is not fully understood: one
 * that varies (`-1`), one with a discount that may or may not be taken off already, one that depends on the time of day, one
 * with a field that is not known here and is not about a medium.
 */
export function listedPrice(pricing: unknown): ListedPrice | null {
  if (!isRecord(pricing)) return null;
  const { overrides, discount, ...base } = pricing;
  if (discount !== undefined && discount !== null && getRate(discount) !== 0) return null;
  const bands = getBands(overrides);
  if (bands === null) return null;
  const thresholds = [...new Set(bands.map(({ from }) => from))].toSorted((one, other) => one - other);
  const prices = [0, ...thresholds].map((from) => {
    // The later ones of those that apply win, field by field.
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

/** Null where one of them hangs on something else than the length of the prompt. */
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
      // A price for each image, or, where it is that of a token of words, for a token of it.
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
