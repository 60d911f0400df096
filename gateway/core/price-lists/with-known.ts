import type { UnitClass } from "../../contract/receipt.ts";
import type { Price, PriceTier } from "../models/model.ts";
import { findPriceOnDay, findRate } from "../money/price.ts";
import { FEES } from "../../contract/units.ts";

/** Classes that lists do not cover: images, characters and seconds keep their known prices. */
const PIECES: readonly UnitClass[] = ["character", "image", "image_output", "second"];

/**
 * Completes a list's price with catalog data: fees, tier factors, hours of the day, an end date. If the list equals the
 * catalog, the catalog's price is used.
 * @param known the catalog's price; null: none
 */
export function withKnown(listed: Price, known: Price | null): Price {
  // The list is compared with what held on its day, so that a price that has ended since does not contradict it.
  const then = findPriceOnDay(known, listed.as_of);
  const first = then?.tiers[0];
  if (then === null || first === undefined) return listed;
  const { source, as_of } = listed;
  if (then.variants !== undefined || PIECES.some((unit) => first.rates[unit] !== undefined)) return then;
  if (listed.tiers.every((tier) => agrees(tier, then))) return { ...then, source, as_of };
  const fees = Object.fromEntries(Object.entries(first.rates).filter(([unit]) => FEES.has(unit)));
  return {
    ...listed,
    tiers: listed.tiers.map(({ above, rates }) => ({ above, rates: { ...fees, ...rates } })),
    ...(then.factors === undefined ? {} : { factors: then.factors }),
    ...(then.peak === undefined ? {} : { peak: then.peak }),
  };
}

/** Whether the catalog has what this tier names; it may have more. */
function agrees({ above, rates }: PriceTier, known: Price): boolean {
  const tier = known.tiers.find((one) => one.above === above);
  if (tier === undefined) return false;
  return (Object.entries(rates) as [UnitClass, number][]).every(([unit, rate]) => findRate(tier, unit) === rate);
}
