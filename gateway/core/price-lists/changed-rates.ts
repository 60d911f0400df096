import type { RateChange } from "../../contract/price-list.ts";
import { unitClassSchema } from "../../contract/receipt.ts";
import type { Price, PriceTier } from "../models/model.ts";
import { findTier } from "../money/price.ts";

const CLASSES = unitClassSchema.options;

/** Lists the effects of a new price: one line per class and prompt length at which the cost changes. */
export function changedRates(old: Price | null, next: Price | null): RateChange[] {
  const bands = listThresholds(old, next).map((above) => ({
    above,
    old: getRates(old, above),
    next: getRates(next, above),
  }));
  const changes: RateChange[] = [];
  for (const unit of CLASSES) {
    let before: number | undefined;
    let after: number | undefined;
    for (const band of bands) {
      const [was, becomes] = [band.old[unit], band.next[unit]];
      const isNews = was !== before || becomes !== after;
      [before, after] = [was, becomes];
      if (was !== becomes && isNews) changes.push({ unit, above: band.above, old: was ?? null, new: becomes ?? null });
    }
  }
  return changes;
}

function listThresholds(old: Price | null, next: Price | null): readonly number[] {
  const all = [...(old?.tiers ?? []), ...(next?.tiers ?? [])].map(({ above }) => above);
  return [...new Set([0, ...all])].toSorted((one, other) => one - other);
}

const getRates = (price: Price | null, above: number): PriceTier["rates"] =>
  price === null ? {} : findTier(price, above + 1).rates;

/** Prices that grow or fall so much are more often a slip in a list than a new price. */
const UNUSUAL = 10;

/** Tells whether a rate changes tenfold, to zero or from zero: such a change needs a separate confirmation. */
export function isUnusual({ old, new: next }: RateChange): boolean {
  if (old === null || next === null || old === next) return false;
  return old === 0 || next === 0 || next >= UNUSUAL * old || old >= UNUSUAL * next;
}
