import type { WhatIfNote } from "../../contract/history.ts";
import { addNano, computePrice } from "../../lib/money.ts";
import type { Price, PriceTier } from "../models/model.ts";
import { priceServed, findRate, findTier } from "../money/price.ts";
import { HISTORY_UNITS, readPrompt } from "./history-entry.ts";
import type { HistoryTokens } from "./history-entry.ts";

/** The cost of one prompt with its response, and notes on its uncertainty. */
export interface TokenCost {
  /** 10⁻⁹ USD; null if a token class has no price. */
  readonly nano: number | null;
  readonly notes: readonly WhatIfNote[];
}

type Rates = readonly (number | undefined)[];
interface TierRates {
  readonly rates: Rates;
  readonly fee: number;
  readonly cachedAtFull: boolean;
  readonly writesAsInput: boolean;
}

const [CACHED, WRITE, WRITE_HOUR] = [1, 2, 3] as const;
const known = new WeakMap<PriceTier, TierRates>();
const NO_NOTES: readonly WhatIfNote[] = [];

/**
 * Computes the cost of tokens at a price.
 * @param strict whether a class without a rate is unpriced; if false, cache writes count as regular input
 */
export function costOfTokens(price: Price, tokens: HistoryTokens, strict: boolean): TokenCost {
  const tier = readRates(findTier(price, readPrompt(tokens)));
  const lenient = !strict || price.always === true;
  let nano = tier.fee;
  for (const [unit, quantity] of tokens.entries()) {
    if (quantity === 0) continue;
    let rate = tier.rates[unit];
    if (rate === undefined && lenient && (unit === WRITE || unit === WRITE_HOUR)) rate = writeRate(tier.rates, unit);
    if (rate === undefined) return { nano: null, notes: NO_NOTES };
    nano = addNano(nano, computePrice(quantity, rate));
  }
  return { nano, notes: strict ? NO_NOTES : readNotes(tier, tokens) };
}

/** A one-hour cache write falls back to a five-minute one, and that to input. */
const writeRate = (rates: Rates, unit: number): number | undefined =>
  (unit === WRITE_HOUR ? rates[WRITE] : undefined) ?? rates[0];

function readNotes(tier: TierRates, tokens: HistoryTokens): readonly WhatIfNote[] {
  const cached = tier.cachedAtFull && tokens[CACHED] > 0;
  const written = tier.writesAsInput && tokens[WRITE] + tokens[WRITE_HOUR] > 0;
  if (!cached && !written) return NO_NOTES;
  return [...(cached ? (["cached_at_full"] as const) : []), ...(written ? (["writes_as_input"] as const) : [])];
}

function readRates(tier: PriceTier): TierRates {
  const found = known.get(tier);
  if (found !== undefined) return found;
  const rates = HISTORY_UNITS.map((unit) => findRate(tier, unit));
  const made: TierRates = {
    rates,
    fee: tier.rates.request ?? 0,
    cachedAtFull: tier.rates.cached_input === undefined && (rates[0] ?? 0) > 0,
    writesAsInput: tier.rates.cache_write === undefined,
  };
  known.set(tier, made);
  return made;
}

/** The price of what was served otherwise than usual, by the same rules as that of calls. */
export const servedPrice = (price: Price, served: Readonly<Record<string, string>> | undefined): Price =>
  served === undefined ? price : priceServed(price, served);
