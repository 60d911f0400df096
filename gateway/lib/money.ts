/** Money is an integer of 10⁻⁹ USD ("nano"). Nothing in Postern adds dollars as floats. */

export const NANO_PER_USD = 1_000_000_000;

/** Largest safe amount: about nine million USD. */
export const MAX_NANO = Number.MAX_SAFE_INTEGER;

/**
 * USD (as people and the wire write it) to nano, rounded half away from zero.
 * @throws RangeError when `usd` is not finite, negative, or too large to be exact.
 */
export function nanoFromUsd(usd: number): number {
  const nano = Math.round(usd * NANO_PER_USD);
  if (!Number.isSafeInteger(nano) || nano < 0) throw new RangeError(`not an amount of money: ${usd}`);
  return nano;
}

/** Nano to USD as a number, for wires that want a float. Exact to 10⁻⁹ below nine million USD. */
export function usdFromNano(nano: number): number {
  return nano / NANO_PER_USD;
}

/** Formats an amount: `$0.04`; below a cent its first two digits, `$0.00012`; the smallest amounts completely. */
export function dollars(nano: number): string {
  const usd = usdFromNano(nano);
  if (usd === 0 || usd >= 0.01) return `$${usd.toFixed(2)}`;
  // Smaller numbers would be written with an exponent.
  return `$${usd >= 0.000_001 ? usd.toPrecision(2) : usd.toFixed(9)}`;
}

/** A sum of two amounts. What is more than can be counted stays the most that can be: no limit is that high. */
export function addNano(a: number, b: number): number {
  const sum = a + b;
  if (sum > MAX_NANO) return MAX_NANO;
  return sum < -MAX_NANO ? -MAX_NANO : sum;
}

/**
 * `quantity` units at `nanoPerMillion` (nano per 10⁶ units), rounded half up to a whole nano. Exact up to the largest
 * safe amount, which caps the result: products beyond 2⁵³ use BigInt.
 * @param quantity whole, or with up to three decimals (seconds); further ones are rounded first.
 */
export function computePrice(quantity: number, nanoPerMillion: number): number {
  if (!Number.isInteger(quantity)) return priceOfThousandths(Math.round(quantity * 1_000), nanoPerMillion);
  const product = quantity * nanoPerMillion;
  if (product <= Number.MAX_SAFE_INTEGER - 500_000) return Math.floor((product + 500_000) / 1_000_000);
  return Math.min(MAX_NANO, Number((BigInt(quantity) * BigInt(nanoPerMillion) + 500_000n) / 1_000_000n));
}

/** Returns the price of thousandths of a unit. It always uses BigInt: audio seconds are few and expensive. */
function priceOfThousandths(thousandths: number, nanoPerMillion: number): number {
  const nano = (BigInt(thousandths) * BigInt(nanoPerMillion) + 500_000_000n) / 1_000_000_000n;
  return Math.min(MAX_NANO, Number(nano));
}
