import { unitSides, type UnitClass } from "../../contract/receipt.ts";
import type { Billed, PriceFacts, Units } from "../models/model.ts";

/** All tokens of a prompt, however they are billed. */
export const inputTokens = (units: Units): number => tokensOf(units, "input");

/** All tokens that a model made, shown or not. */
export const outputTokens = (units: Units): number => tokensOf(units, "output");

function tokensOf(units: Units, side: "input" | "output"): number {
  let sum = 0;
  for (const unit in units) if (unitSides[unit as UnitClass] === side) sum += units[unit as UnitClass] ?? 0;
  return sum;
}

/** What is billed for one prompt. @param served undefined: as usual. */
export function billedAs(units: Units, served: PriceFacts | undefined): Billed {
  return served === undefined ? units : [{ units, served }];
}

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
