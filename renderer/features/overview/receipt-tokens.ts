import type { Receipt, UnitClass } from "../../../gateway/contract/receipt.ts";

const inputs: readonly UnitClass[] = ["input", "cached_input", "cache_write", "cache_write_1h", "image_input"];
const outputs: readonly UnitClass[] = ["output", "reasoning", "image_output"];

/** Tokens that went in and came out; the classes are disjoint, so they add up. */
export function tokensOf({ terms }: Receipt): { readonly input: number; readonly output: number } {
  const sum = (classes: readonly UnitClass[]): number =>
    terms.reduce((total, { unit, quantity }) => (classes.includes(unit) ? total + quantity : total), 0);
  return { input: sum(inputs), output: sum(outputs) };
}
