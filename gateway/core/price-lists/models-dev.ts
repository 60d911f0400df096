import type { UnitClass } from "../../contract/receipt.ts";
import { isRecord } from "../../lib/records.ts";
import { getRate } from "../models/listed-price.ts";
import { CollectedPrices, getTiers } from "./collected-prices.ts";
import type { HostOf, HostPrices, ListedTiers } from "./collected-prices.ts";

/**
 * USD fields per million tokens, with their unit classes
 * (https://github.com/anomalyco/models.dev/blob/dev/packages/core/src/schema.ts).
 */
const FIELDS: Readonly<Record<string, UnitClass>> = {
  input: "input",
  output: "output",
  cache_read: "cached_input",
  cache_write: "cache_write",
  reasoning: "reasoning",
  input_audio: "audio_input",
  output_audio: "audio_output",
};
const MILLION = 1_000_000;
/** Prompt tokens above which `context_over_200k` applies. */
const LONG_CONTEXT = 200_000;

/** `{"anthropic": {"id": "anthropic", "models": {"claude-opus-5": {"cost": {"input": 5, "output": 25}, …}}}, …}` */
export function isModelsDev(list: Readonly<Record<string, unknown>>): boolean {
  return Object.values(list).some((provider) => isRecord(provider) && isRecord(provider["models"]));
}

export function readModelsDev(list: Readonly<Record<string, unknown>>, hostOf: HostOf): HostPrices {
  const prices = new CollectedPrices();
  for (const [id, provider] of Object.entries(list)) {
    if (!isRecord(provider) || !isRecord(provider["models"])) continue;
    const host = hostOf(id, findHost(provider["api"]));
    if (host === null) continue;
    for (const [model, entry] of Object.entries(provider["models"])) {
      const tiers = isRecord(entry) && writesOnly(entry) ? getPrice(entry["cost"]) : null;
      if (tiers !== null) prices.add(host, model, tiers);
    }
  }
  return prices.all();
}

/** Only providers with a fixed host: `https://api.cloudflare.com/…/${ACCOUNT}/…` is shared. */
function findHost(api: unknown): string | null {
  const url = typeof api === "string" && !api.includes("${") ? URL.parse(api) : null;
  return url?.protocol === "https:" ? url.hostname : null;
}

/** Images and sounds are made at prices that this list does not have. */
function writesOnly({ modalities }: Readonly<Record<string, unknown>>): boolean {
  const output = isRecord(modalities) ? modalities["output"] : undefined;
  return !Array.isArray(output) || output.every((medium) => medium === "text");
}

function getPrice(cost: unknown): ListedTiers | null {
  if (!isRecord(cost)) return null;
  const above = new Map<number, Readonly<Partial<Record<UnitClass, number>>>>();
  const bands: readonly (readonly [number, unknown])[] = [[0, cost], ...longer(cost)];
  for (const [from, band] of bands) {
    const rates = getRates(band);
    if (rates === null || !Number.isSafeInteger(from) || from < 0) return null;
    above.set(from, rates);
  }
  return getTiers(above);
}

function longer({ tiers, context_over_200k: long }: Readonly<Record<string, unknown>>): (readonly [number, unknown])[] {
  if (Array.isArray(tiers)) return (tiers as readonly unknown[]).map((band) => [measureSize(band), band] as const);
  return long === undefined || long === null ? [] : [[LONG_CONTEXT, long]];
}

/** `{"input": 4, "tier": {"type": "context", "size": 200000}}` */
function measureSize(band: unknown): number {
  const tier = isRecord(band) ? band["tier"] : undefined;
  return isRecord(tier) && (tier["type"] ?? "context") === "context" ? Number(tier["size"]) : Number.NaN;
}

/** Null if one of them is not a price. */
function getRates(band: unknown): Readonly<Partial<Record<UnitClass, number>>> | null {
  if (!isRecord(band)) return null;
  const rates: Partial<Record<UnitClass, number>> = {};
  for (const [field, unit] of Object.entries(FIELDS)) {
    const value = band[field];
    if (value === undefined || value === null) continue;
    const rate = typeof value === "number" ? getRate(value / MILLION) : null;
    if (rate === null) return null;
    rates[unit] = rate;
  }
  return rates;
}
