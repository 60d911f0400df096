import { unitClassSchema } from "../../contract/receipt.ts";
import type { ReceiptTerm, UnitClass } from "../../contract/receipt.ts";
import type { ModelPricing, TierPricing } from "../../contract/models.ts";
import { priceOf } from "../../lib/money.ts";
import type { Price, PriceFacts, PriceTier, PriceVariant, Units } from "../models/model.ts";

/** Where a class without a rate of its own is priced: the same token without its discount or surcharge. */
const FALLBACK: Partial<Record<UnitClass, UnitClass>> = {
  cached_input: "input",
  cache_write: "input",
  cache_write_1h: "cache_write",
  reasoning: "output",
  // Pictures in a prompt are tokens like others where they have no price of their own (Gemini).
  image_input: "input",
};

/** The order of a receipt's lines. */
const CLASSES = unitClassSchema.options;

export interface Priced {
  /** One line for each class with units; lines of classes without any rate are missing. */
  readonly terms: readonly ReceiptTerm[];
  /** Sum of the lines, nano USD; null when a class has no rate, so that nothing is sold as cheaper than it was. */
  readonly nano: number | null;
}

/** The tier that a prompt of so many tokens falls into. The whole request is billed by it. */
export function tierFor(price: Price, promptTokens: number): PriceTier {
  let chosen = price.tiers[0];
  for (const tier of price.tiers) if (promptTokens > tier.above) chosen = tier;
  if (chosen === undefined) throw new RangeError("a price needs at least one tier");
  return chosen;
}

/**
 * The price that these facts about a call lead to: the first variant all of whose conditions hold replaces rates of the
 * first tier. The result has no variants left, so that nothing chooses twice.
 */
export function priceFor(price: Price, facts: PriceFacts): Price {
  const { variants, ...plain } = price;
  const found = variants?.find(({ when }) => Object.entries(when).every(([fact, value]) => facts[fact] === value));
  const [first, ...higher] = plain.tiers;
  if (found === undefined || first === undefined) return plain;
  return { ...plain, tiers: [{ above: first.above, rates: { ...first.rates, ...found.rates } }, ...higher] };
}

/** The rate of a class in a tier, nano USD per 10⁶ units; undefined when neither it nor its fallback has one. */
export function rateOf(tier: PriceTier, unit: UnitClass): number | undefined {
  const own = tier.rates[unit];
  if (own !== undefined) return own;
  const fallback = FALLBACK[unit];
  return fallback === undefined ? undefined : rateOf(tier, fallback);
}

/** All tokens of a prompt, however they are billed. */
function promptTokens({ input = 0, cached_input = 0, cache_write = 0, cache_write_1h = 0 }: Units): number {
  return input + cached_input + cache_write + cache_write_1h;
}

/** What units cost, line by line. Cached and cache-write tokens count towards the prompt size that chooses the tier. */
export function priceUnits(units: Units, price: Price): Priced {
  const tier = tierFor(price, promptTokens(units));
  const terms: ReceiptTerm[] = [];
  let total = 0;
  let complete = true;
  for (const unit of CLASSES) {
    const quantity = units[unit];
    if (quantity === undefined || quantity === 0) continue;
    const rate = rateOf(tier, unit);
    if (rate === undefined) {
      complete = false;
      continue;
    }
    const nano = priceOf(quantity, rate);
    terms.push({ unit, quantity, nano_per_million: rate, nano });
    total += nano;
  }
  return { terms, nano: complete ? total : null };
}

/** Nano USD per 10⁶ units in one USD per single unit. */
const NANO_PER_MILLION_IN_USD = 1e15;

/** Names of the classes in `pricing` of `GET /v1/models` (contract, "Models"). Prices per second are per resolution there. */
const VIEW_NAMES: readonly (readonly [UnitClass, keyof TierPricing])[] = [
  ["input", "input"],
  ["output", "output"],
  ["cached_input", "cached_input"],
  ["cache_write", "cache_write"],
  ["cache_write_1h", "cache_write_1h"],
  ["reasoning", "reasoning"],
  ["character", "per_character"],
  ["image", "per_image"],
  ["image_input", "image_input"],
  ["image_output", "image_output"],
];

/** `pricing` of `GET /v1/models`: USD per single unit, further tiers and variants as lists; null when unpriced. */
export function pricingView(price: Price | null): ModelPricing | null {
  const first = price?.tiers[0];
  if (price === null || first === undefined) return null;
  const tiers = price.tiers.slice(1).map((tier) => ({ above: tier.above, ...ratesView(tier) }));
  const variants = (price.variants ?? [])
    .map((variant) => ({ when: variant.when, ...ratesView(variant) }))
    .filter((view) => Object.keys(view).length > 1);
  return {
    currency: "USD",
    ...ratesView(first),
    ...(tiers.length === 0 ? {} : { tiers }),
    ...(variants.length === 0 ? {} : { variants }),
    ...perSecond(price.variants ?? []),
    source: price.source,
    as_of: price.as_of,
  };
}

function ratesView({ rates }: Pick<PriceTier, "rates">): TierPricing {
  const view: { -readonly [K in keyof TierPricing]: TierPricing[K] } = {};
  for (const [unit, name] of VIEW_NAMES) {
    const rate = rates[unit];
    if (rate !== undefined) view[name] = rate / NANO_PER_MILLION_IN_USD;
  }
  return view;
}

/** Seconds of video are shown by resolution (contract, "Models"). */
function perSecond(variants: readonly PriceVariant[]): Pick<ModelPricing, "per_second"> {
  const view: Record<string, number> = {};
  for (const { when, rates } of variants) {
    const resolution = when["resolution"];
    if (resolution !== undefined && rates.second !== undefined)
      view[resolution] ??= rates.second / NANO_PER_MILLION_IN_USD;
  }
  return Object.keys(view).length === 0 ? {} : { per_second: view };
}
