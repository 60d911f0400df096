import type { Units } from "../models/model.ts";

/** Several counts as one, class by class. Classes that none of them has stay away. */
export function sumUnits(counts: readonly Units[]): Units {
  const sum: Units = {};
  for (const count of counts) {
    for (const [unit, quantity] of Object.entries(count) as [keyof Units, number][]) {
      sum[unit] = (sum[unit] ?? 0) + quantity;
    }
  }
  return sum;
}

/** A count without the classes of which there is none. */
export function withoutZeros(count: Units): Units {
  return Object.fromEntries(Object.entries(count).filter(([, quantity]) => quantity > 0));
}
