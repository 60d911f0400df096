import { computePrice } from "../../lib/money.ts";
import type { Price, PriceFacts, Units } from "../models/model.ts";
import { choosePrice, findTier } from "../money/price.ts";
import type { VideoOrder } from "./video-order.ts";

/**
 * Held for one second of a model without a known price, nano USD: about the most expensive second of common size
 * (sora-2-pro $0.30, Seedance 2.0 at 1080p $0.37). Never charged.
 */
const ASSUMED_NANO_PER_SECOND = 300_000_000;

/** More than any video lasts: a larger figure is noise, and money must not be counted by it. */
export const MOST_SECONDS = 3_600;

/** The facts that prices of videos hang on. */
export const createVideoFacts = ({ resolution }: Pick<VideoOrder, "resolution">): PriceFacts => ({ resolution });

/**
 * Returns the max cost of an order in nano USD, to be held.
 * @param price with its variants, or already chosen by the order's facts; null: unpriced.
 */
export function videoHold(order: Pick<VideoOrder, "holdSeconds" | "resolution">, price: Price | null): number {
  const rate = price === null ? undefined : findTier(choosePrice(price, createVideoFacts(order)), 0).rates.second;
  return rate === undefined
    ? Math.ceil(order.holdSeconds * ASSUMED_NANO_PER_SECOND)
    : computePrice(order.holdSeconds, rate);
}

/** Tells whether seconds of this resolution have a price, or need none: all cost the same, or the price is unknown. */
export function isSold(price: Price | null, resolution: string): boolean {
  const sizes = (price?.variants ?? []).flatMap(({ when }) => when["resolution"] ?? []);
  return sizes.length === 0 || sizes.includes(resolution);
}

/** Returns the billed units of a duration, rounded to a thousandth as in receipts. */
export const videoUnits = (seconds: number): Units => ({ second: Math.round(seconds * 1_000) / 1_000 });
