const NANO_PER_USD = 1_000_000_000;
const NANO_PER_CENT = 10_000_000;

/** An amount that was typed, with cents: `$5.00`. @param usd not negative */
export const usdLabel = (usd: number): string => moneyLabel(Math.round(usd * NANO_PER_USD));

/**
 * Formats an amount: cents from ten cents upwards, below that two significant digits, never rounded to zero (`$12.40`,
 * `$0.042`, `$0.00042`).
 * @param nano 10⁻⁹ USD, a non-negative integer.
 */
export function moneyLabel(nano: number): string {
  if (nano === 0) return "$0.00";
  if (nano >= 10 * NANO_PER_CENT) return `$${(Math.round(nano / NANO_PER_CENT) / 100).toFixed(2)}`;
  const leadingZeros = 9 - String(nano).length;
  const digits = (nano / NANO_PER_USD).toFixed(Math.min(9, leadingZeros + 2));
  return `$${digits.replace(/(\.\d\d\d*?)0+$/, "$1")}`;
}
