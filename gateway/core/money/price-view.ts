import type { UnitClass } from "../../contract/receipt.ts";
import type { ModelPricing, TierPricing } from "../../contract/models.ts";
import type { Price, PriceTier, PriceVariant } from "../models/model.ts";

/** Nano USD per 10⁶ units in one USD per single unit. */
const NANO_PER_MILLION_IN_USD = 1e15;

/**
 * Names of the classes in `pricing` of `GET /v1/models` (docs/specification.md#models). Prices per second are per
 * resolution there.
 */
const VIEW_NAMES: readonly (readonly [UnitClass, keyof TierPricing])[] = [
  ["input", "input"],
  ["output", "output"],
  ["cached_input", "cached_input"],
  ["cache_write", "cache_write"],
  ["cache_write_1h", "cache_write_1h"],
  ["reasoning", "reasoning"],
  ["audio_input", "audio_input"],
  ["cached_audio_input", "cached_audio_input"],
  ["audio_output", "audio_output"],
  ["character", "per_character"],
  ["image", "per_image"],
  ["image_input", "image_input"],
  ["image_output", "image_output"],
  ["web_search", "per_web_search"],
  ["file_search", "per_file_search"],
  ["container", "per_container"],
  ["request", "per_request"],
];

/** `pricing` of `GET /v1/models`: USD per single unit, further tiers and variants as lists; null when unpriced. */
export function createPricingView(price: Price | null): ModelPricing | null {
  const first = price?.tiers[0];
  if (price === null || first === undefined) return null;
  const tiers = price.tiers.slice(1).map((tier) => ({ above: tier.above, ...getRatesView(tier) }));
  const variants = (price.variants ?? [])
    .map((variant) => ({ when: variant.when, ...getRatesView(variant) }))
    .filter((view) => Object.keys(view).length > 1);
  return {
    currency: "USD",
    ...getRatesView(first),
    ...(tiers.length === 0 ? {} : { tiers }),
    ...(variants.length === 0 ? {} : { variants }),
    ...perSecond(price.variants ?? [], first.rates.second),
    source: price.source,
    as_of: price.as_of,
    ...(price.until === undefined ? {} : { until: price.until }),
    ...(price.factors === undefined ? {} : { factors: price.factors }),
  };
}

function getRatesView({ rates }: Pick<PriceTier, "rates">): TierPricing {
  const view: { -readonly [K in keyof TierPricing]: TierPricing[K] } = {};
  for (const [unit, name] of VIEW_NAMES) {
    const rate = rates[unit];
    if (rate !== undefined) view[name] = rate / NANO_PER_MILLION_IN_USD;
  }
  return view;
}

/**
 * Prices per second by video resolution, or as `any` if they are all equal (docs/specification.md#models).
 */
function perSecond(variants: readonly PriceVariant[], usual: number | undefined): Pick<ModelPricing, "per_second"> {
  const view: Record<string, number> = {};
  for (const { when, rates } of variants) {
    const resolution = when["resolution"];
    if (resolution !== undefined && rates.second !== undefined)
      view[resolution] ??= rates.second / NANO_PER_MILLION_IN_USD;
  }
  if (usual !== undefined && Object.keys(view).length === 0) view["any"] = usual / NANO_PER_MILLION_IN_USD;
  return Object.keys(view).length === 0 ? {} : { per_second: view };
}
