import type { Receipt, UnitClass } from "./receipt.ts";

/** Unit classes of a prompt's cache, which replace the input rate. */
const CACHED: ReadonlySet<UnitClass> = new Set<UnitClass>(["cached_input", "cache_write", "cache_write_1h"]);

const isOfCache = ({ unit }: Receipt["terms"][number]): boolean => CACHED.has(unit);

/**
 * Computes the savings of a request by the provider's prompt cache, whichever side marked it: the units read from it
 * and written to it at the input rate, minus their actual cost. 10⁻⁹ USD; negative if writing cost more than reading
 * saved.
 * @returns null if nothing was cached, or the input rate is unknown.
 */
export function cacheSavings({ terms, nano }: Pick<Receipt, "terms" | "nano">): number | null {
  if (nano === null) return null;
  let rate: number | null = null;
  let saved = 0;
  if (!terms.some(isOfCache)) return null;
  for (const term of terms) {
    if (term.unit !== "input") continue;
    // Prompts of one request billed at several rates cannot be separated.
    if (rate !== null && rate !== term.nano_per_million) return null;
    rate = term.nano_per_million;
  }
  if (rate === null) return null;
  for (const term of terms)
    if (CACHED.has(term.unit)) saved += Math.round((term.quantity * rate) / 1_000_000) - term.nano;
  return saved;
}
