import { totalsSchema } from "../../contract/totals.ts";
import type { Totals } from "../../contract/totals.ts";
import { addNano } from "../../lib/money.ts";

/** Summed fields: the names are the same in a row and in the totals that are shown. */
export const SUMS = Object.keys(totalsSchema.shape) as readonly (keyof Totals)[];

/** Totals of nothing. */
export function emptyTotals(): Totals {
  return Object.fromEntries(SUMS.map((name) => [name, 0])) as Totals;
}

/** Adds a row to `total`, in place. */
export function addTotals(total: Totals, row: Readonly<Totals>): void {
  for (const name of SUMS) total[name] = addNano(total[name], row[name]);
}

/** Reads the totals in `sums` from `start`, in the order of SUMS. */
export function readTotals(sums: Float64Array, start: number): Totals {
  return Object.fromEntries(SUMS.map((name, place) => [name, addNano(sums[start + place] ?? 0, 0)])) as Totals;
}
