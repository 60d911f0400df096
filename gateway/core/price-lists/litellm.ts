import type { UnitClass } from "../../contract/receipt.ts";
import { isRecord } from "../../lib/records.ts";
import { getRate } from "../models/listed-price.ts";
import { CollectedPrices, getTiers } from "./collected-prices.ts";
import type { HostOf, HostPrices, ListedTiers } from "./collected-prices.ts";

/**
 * USD fields per token, with their unit classes (https://docs.litellm.ai/docs/provider_registration/add_model_pricing).
 */
const FIELDS: Readonly<Record<string, UnitClass>> = {
  input_cost_per_token: "input",
  output_cost_per_token: "output",
  cache_read_input_token_cost: "cached_input",
  input_cost_per_token_cache_hit: "cached_input",
  cache_creation_input_token_cost: "cache_write",
  cache_creation_input_token_cost_above_1hr: "cache_write_1h",
  output_cost_per_reasoning_token: "reasoning",
  input_cost_per_audio_token: "audio_input",
  cache_read_input_audio_token_cost: "cached_audio_input",
  output_cost_per_audio_token: "audio_output",
  input_cost_per_image_token: "image_input",
  output_cost_per_image_token: "image_output",
  input_cost_per_request: "request",
};

/** Modes billed by the tokens of their usage. Images, speech and videos keep the catalog's prices. */
const MODES: ReadonlySet<unknown> = new Set(["chat", "completion", "responses", "embedding"]);

/** `{"claude-opus-5": {"litellm_provider": "anthropic", "mode": "chat", "input_cost_per_token": 5e-06, …}, …}` */
export function isLiteLlm(list: Readonly<Record<string, unknown>>): boolean {
  return Object.values(list).some((entry) => isRecord(entry) && typeof entry["litellm_provider"] === "string");
}

export function readLiteLlm(list: Readonly<Record<string, unknown>>, hostOf: HostOf): HostPrices {
  const prices = new CollectedPrices();
  for (const [key, entry] of Object.entries(list)) {
    if (key === "sample_spec" || !isRecord(entry) || !MODES.has(entry["mode"])) continue;
    const provider = entry["litellm_provider"];
    const host = typeof provider === "string" ? hostOf(provider, null) : null;
    if (host === null) continue;
    const tiers = getPrice(entry);
    const prefix = `${String(provider)}/`;
    if (tiers !== null) prices.add(host, key.startsWith(prefix) ? key.slice(prefix.length) : key, tiers);
  }
  return prices.all();
}

type Rates = Partial<Record<UnitClass, number>>;

function getPrice(entry: Readonly<Record<string, unknown>>): ListedTiers | null {
  const above = new Map<number, Rates>([[0, {}]]);
  const bands = entry["tiered_pricing"];
  const isRead = Array.isArray(bands)
    ? (bands as readonly unknown[]).every((band) => isRecord(band) && takeBand(band, above))
    : take(entry, 0, above);
  const rates = above.get(0);
  if (!isRead || rates === undefined) return null;
  // Vectors are no tokens.
  if (entry["mode"] === "embedding") delete rates.output;
  return getTiers(above);
}

/** `{"range": [0, 256000], "input_cost_per_token": …}` */
function takeBand(band: Readonly<Record<string, unknown>>, above: Map<number, Rates>): boolean {
  const range: unknown = band["range"];
  const from: unknown = Array.isArray(range) ? range[0] : undefined;
  return typeof from === "number" && Number.isSafeInteger(from) && from >= 0 && take(band, from, above);
}

/** @returns false if it has a price that is not understood; then it gets none */
function take(fields: Readonly<Record<string, unknown>>, from: number, above: Map<number, Rates>): boolean {
  for (const [field, value] of Object.entries(fields)) {
    if (value === null) continue;
    const [, name = field, thousands] = /^(.+)_above_(\d{1,6})k_tokens$/.exec(field) ?? [];
    const unit = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (unit === undefined) {
      if (IS_OF_A_PROMPT.test(name) && getRate(value) !== 0) return false;
      continue;
    }
    const rate = getRate(value);
    if (rate === null) return false;
    const tier = thousands === undefined ? from : Number(thousands) * 1_000;
    above.set(tier, { ...above.get(tier), [unit]: rate });
  }
  return true;
}

/** `input_cost_per_image` is a price that hangs on what usage does not tell. `…_flex` is one of being served otherwise. */
const IS_OF_A_PROMPT = /^(?:input|output)_cost_per_(?!.*_(?:batches|flex|priority)$)/;
