import { ownRatesSchema } from "../../contract/model-view.ts";
import type { OwnRates, OwnUnit } from "../../contract/model-view.ts";
import { soldByPiece } from "../../contract/units.ts";
import type { SetupPrice } from "../../contract/setup.ts";

/** Decimal digits of USD down to 1 nano USD (10⁻⁹). */
const NANO_DIGITS = 9;
/** Decimal digits of the million units that a rate is for. */
const MILLION_DIGITS = 6;

const decimalShift = (unit: string): number => NANO_DIGITS + (soldByPiece(unit as OwnUnit) ? MILLION_DIGITS : 0);

/** Rates (10⁻⁹ USD per 10⁶ units) in USD per million tokens or characters, and per piece of everything else. */
export function usdFromRates(rates: OwnRates): SetupPrice {
  return Object.fromEntries(
    Object.entries(rates).map(([unit, rate]) => [unit, Number(`${String(rate)}e-${decimalShift(unit)}`)]),
  );
}

/** Converts a price back to rates, to its last digit; null if it is too large to count, or not a rate at all. */
export function ratesFromUsd(price: SetupPrice): OwnRates | null {
  const rates = Object.entries(price).map(([unit, usd]) => [unit, shiftDecimal(usd, decimalShift(unit))]);
  const parsed = ownRatesSchema.safeParse(Object.fromEntries(rates));
  return parsed.success ? parsed.data : null;
}

/** A number whose decimal point is moved: multiplying would round twice. */
function shiftDecimal(value: number, digits: number): number {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  return Math.round(Number(`${mantissa}e${Number(exponent) + digits}`));
}
