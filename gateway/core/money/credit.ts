import type { Balance } from "../../contract/credit.ts";

/** Credit of a key, as its provider reports it. */
export interface Credit {
  readonly balances: readonly Balance[];
  readonly isUsedUp: boolean;
}

const DECIMAL = /^([-+]?)(\d{1,30})(?:\.(\d{1,60}))?(?:e([-+]?\d{1,2}))?$/i;
const DECIMALS = 9;

/**
 * Reads an amount that a provider writes as a decimal, as text or as a number, without floating-point arithmetic.
 * @param decimals how many digits its unit is moved: 4 if it counts ten-thousandths of the currency
 * @returns 10⁻⁹ of the currency, further digits cut off; null if it is no amount, or too large to be exact
 */
export function readAmount(value: unknown, decimals = 0): number | null {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    DECIMAL.exec(typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : "") ?? [];
  if (sign === undefined) return null;
  const shift = DECIMALS - decimals + Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  const nano = Number(shift < 0 ? digits / 10n ** BigInt(-shift) : digits * 10n ** BigInt(shift));
  if (!Number.isSafeInteger(nano)) return null;
  return sign === "-" && nano !== 0 ? -nano : nano;
}

/**
 * Returns a credit of one currency, which is used up at zero and below.
 * @returns null if the amount cannot be read
 */
export function createCredit(currency: string, nano: number | null): Credit | null {
  return nano === null ? null : { balances: [{ currency, nano }], isUsedUp: nano <= 0 };
}

/** The credit of a key that its provider sets no limit. */
export const UNLIMITED: Credit = { balances: [], isUsedUp: false };

/** Tells whether what is left is below an amount in each currency. @param nano 10⁻⁹ of the currency */
export function isBelow(balances: readonly Balance[], nano: number): boolean {
  return balances.length > 0 && balances.every((balance) => balance.nano < nano);
}
