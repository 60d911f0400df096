import type { Billed, Price } from "../../core/models/model.ts";
import { listUsages, priceUnits } from "../../core/money/price.ts";
import type { Priced } from "../../core/money/price.ts";
import { addNano } from "../../lib/money.ts";
import type { Candidate } from "../models/served-model.ts";

/** A request that a provider may have executed, whose response was never seen. */
export interface Unseen {
  readonly candidate: Candidate;
  readonly units: Billed;
}

/**
 * Prices everything that was used, each part at the price of its provider. The price named is that of the response.
 * @param amount nano USD that are held; undefined without a hold
 */
export function priceWithUnseen(
  units: Billed,
  price: Price | null,
  unseen: readonly Unseen[],
  amount: number | undefined,
): Priced {
  if (unseen.length === 0) return priceUnits(units, price, amount);
  const isSame = ({ candidate: { price: one } }: Unseen): boolean => one === price;
  const here = [units, ...unseen.filter(isSame).map((one) => one.units)];
  let all = priceUnits(here.flatMap(listUsages), price, amount);
  for (const one of unseen) {
    if (isSame(one)) continue;
    const part = priceUnits(one.units, one.candidate.price);
    const terms = [...all.terms, ...part.terms];
    // Unpriced units must not discard the price of the others.
    const nano = all.nano === null || part.nano === null ? (all.nano ?? part.nano) : addNano(all.nano, part.nano);
    all = { terms, nano, estimated: true, price: all.terms.length === 0 ? part.price : all.price };
  }
  return { ...all, estimated: true };
}
