import * as z from "zod";

/** An amount in a currency that a provider bills in. */
export const balanceSchema = z.object({
  /** ISO 4217: `USD`, `CNY`. */
  currency: z.string(),
  /** 10⁻⁹ of the currency; negative: owed to the provider. */
  nano: z.number().int(),
});
export type Balance = z.infer<typeof balanceSchema>;

/** The credit of one provider key, as its provider reported it last. */
export const creditReadingSchema = z.object({
  /** Amounts by currency; empty: the provider sets this key no limit, or none was read so far. */
  balances: z.array(balanceSchema).readonly(),
  used_up: z.boolean(),
  /** When this was read, Unix milliseconds; null: never. */
  read_at: z.number().int().nullable(),
  /** Why the last reading failed, redacted; null: it did not. The balances are then those of an earlier one. */
  error: z.string().nullable(),
});
export type CreditReading = z.infer<typeof creditReadingSchema>;

/** Formats `1.20 USD`: two to four decimals, further digits cut off. */
export function formatBalance({ currency, nano }: Balance): string {
  const digits = String(Math.abs(nano)).padStart(10, "0");
  const decimals = digits.slice(-9, -5).replace(/0{1,2}$/, "");
  return `${nano < 0 ? "-" : ""}${digits.slice(0, -9)}.${decimals} ${currency}`;
}
