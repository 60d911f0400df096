import type { Receipt, ReceiptTerm, UnitClass } from "../../../gateway/contract/receipt.ts";

const inputs: readonly UnitClass[] = ["input", "cached_input", "cache_write", "cache_write_1h", "image_input"];
const outputs: readonly UnitClass[] = ["output", "reasoning", "image_output"];
/** What is counted in pieces and not in tokens. */
const pieces = ["image", "character", "second"] as const satisfies readonly UnitClass[];
export type Piece = (typeof pieces)[number];

export const isPiece = (unit: UnitClass): unit is Piece => pieces.some((piece) => piece === unit);

/** What a request used, in the units that it is billed by. */
export interface Usage {
  /** Tokens that went in and came out; the classes are disjoint, so they add up. null where none were counted. */
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly pieces: readonly { readonly unit: Piece; readonly quantity: number }[];
}

export function usageOf({ terms }: Receipt): Usage {
  const counted = terms.flatMap(({ unit, quantity }) => (isPiece(unit) ? [{ unit, quantity }] : []));
  const ofTokens = terms.filter(({ unit }) => !isPiece(unit));
  if (ofTokens.length === 0) return { tokens: null, pieces: counted };
  return { tokens: { input: sumOf(ofTokens, inputs), output: sumOf(ofTokens, outputs) }, pieces: counted };
}

function sumOf(terms: readonly ReceiptTerm[], classes: readonly UnitClass[]): number {
  return terms.reduce((total, { unit, quantity }) => (classes.includes(unit) ? total + quantity : total), 0);
}
