import { soldByPiece } from "../../../gateway/contract/units.ts";
import {
  mostRate,
  ownUnits,
  type ModelView,
  type OwnRates,
  type OwnUnit,
  type PriceView,
} from "../../../gateway/contract/model-view.ts";
import { getNano } from "../../lib/typed.ts";

/** The form's text by unit, in USD as people write it: per million tokens or characters, per image, second, search, request. */
export type PriceDraft = Readonly<Partial<Record<OwnUnit, string>>>;

const TOKENS: readonly OwnUnit[] = ["input", "cached_input", "cache_write", "output"];
const FIELDS: readonly (readonly [string, readonly OwnUnit[]])[] = [
  ["chat", TOKENS],
  ["messages", TOKENS],
  ["embedding", ["input"]],
  ["speech", ["character", "input", "output"]],
  ["transcription", ["second", "input", "audio_input", "output"]],
  ["image", ["image", "input", "image_input", "image_output"]],
  ["image_edit", ["image", "input", "image_input", "image_output"]],
  ["video", ["second"]],
];

/** Returns the billable units of a model and those already priced; all units if its capabilities are unknown. */
export function getFields({ capabilities, price }: ModelView): readonly OwnUnit[] {
  const possible = new Set(FIELDS.flatMap(([capability, units]) => (capabilities.includes(capability) ? units : [])));
  const set = price?.tiers[0]?.rates ?? {};
  const units = ownUnits.filter((unit) => possible.has(unit) || set[unit] !== undefined);
  return units.length === 0 ? ownUnits : units;
}

const NANO_DIGITS = 9;
const PER_MILLION = 1_000_000;

/** Returns the first rates of a price as text; exact to the nano dollar. */
export function getDraft(price: PriceView | null): PriceDraft {
  const rates = price?.tiers[0]?.rates ?? {};
  return Object.fromEntries(
    ownUnits.flatMap((unit) => {
      const rate = rates[unit];
      return rate === undefined ? [] : [[unit, usdText(soldByPiece(unit) ? Math.round(rate / PER_MILLION) : rate)]];
    }),
  );
}

/** 10⁻⁹ USD as a decimal without an exponent: "2.5", "0.000000001". */
function usdText(nano: number): string {
  const digits = String(nano).padStart(NANO_DIGITS + 1, "0");
  const fraction = digits.slice(-NANO_DIGITS).replace(/0+$/, "");
  const whole = digits.slice(0, -NANO_DIGITS);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

export type ReadPrice =
  | { readonly ok: true; readonly rates: OwnRates }
  | { readonly ok: false; readonly invalid: ReadonlySet<OwnUnit> };

/**
 * Parses the form into integers of 10⁻⁹ USD per 10⁶ units; an empty field means no price.
 * @param before earlier rates, which may stay even above today's max
 */
export function readPrice(draft: PriceDraft, fields: readonly OwnUnit[], before: OwnRates | null = null): ReadPrice {
  const invalid = new Set<OwnUnit>();
  const rates: Partial<Record<OwnUnit, number>> = {};
  for (const unit of fields) {
    const text = draft[unit] ?? "";
    if (text.trim() === "") continue;
    const nano = getNano(text);
    const rate = nano === null ? Number.NaN : nano * (soldByPiece(unit) ? PER_MILLION : 1);
    if (rate <= mostRate(unit) || rate === before?.[unit]) rates[unit] = rate;
    else invalid.add(unit);
  }
  return invalid.size === 0 ? { ok: true, rates } : { ok: false, invalid };
}

/** Returns the custom rates of a model, for restoring them. */
export function getOwnRates({ price, own_price }: ModelView): OwnRates | null {
  const rates = own_price ? price?.tiers[0]?.rates : undefined;
  if (rates === undefined) return null;
  return Object.fromEntries(ownUnits.flatMap((unit) => (rates[unit] === undefined ? [] : [[unit, rates[unit]]])));
}
