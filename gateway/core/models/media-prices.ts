import { usdPerMillion } from "./catalog-entry.ts";
import type { PriceSource, UsdRates } from "./catalog-entry.ts";
import type { Price } from "./model.ts";

/** Builds USD prices per image by request facts, the default first (docs/providers/openai.md#prices). */
export function getUsdPerImage(
  read: PriceSource,
  usual: number,
  variants: readonly (readonly [when: Readonly<Record<string, string>>, usd: number])[],
): Price {
  const rates = (usd: number): UsdRates => usdPerMillion(read, { image: usd * 1_000_000 }).tiers[0]?.rates ?? {};
  return {
    ...usdPerMillion(read, { image: usual * 1_000_000 }),
    variants: variants.map(([when, usd]) => ({ when, rates: rates(usd) })),
  };
}

/** Nano USD per 10⁶ seconds. */
const NANO_PER_MILLION = 1e15;

export type ByResolution = Readonly<Record<string, number>>;

/**
 * Builds USD prices per second of video; unlisted resolutions cost as much as the most expensive one. No provider's own
 * page was readable: each figure is quoted by others, or is a reseller's list price, as its source says.
 */
export function getUsdPerSecond({ source, as_of }: PriceSource, usd: ByResolution): Price {
  const rate = (amount: number): number => Math.round(amount * NANO_PER_MILLION);
  return {
    tiers: [{ above: 0, rates: { second: rate(Math.max(...Object.values(usd))) } }],
    variants: Object.entries(usd).map(([resolution, amount]) => ({
      when: { resolution },
      rates: { second: rate(amount) },
    })),
    source,
    as_of,
  };
}

/** Builds the USD price per hour of transcribed audio. @param leastSeconds min billed seconds per request */
export function getUsdPerHour(read: PriceSource, usd: number, leastSeconds?: number): Price {
  const price = usdPerMillion(read, { second: (usd / 3_600) * 1_000_000 });
  return leastSeconds === undefined ? price : { ...price, leastSeconds };
}
