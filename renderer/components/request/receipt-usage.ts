import { unitSides, type Receipt, type ReceiptTerm, type UnitClass } from "../../../gateway/contract/receipt.ts";

/** What is made in pieces and not in tokens. */
const pieces = ["image", "character", "second"] as const satisfies readonly UnitClass[];
type Piece = (typeof pieces)[number];

const isPiece = (unit: UnitClass): unit is Piece => pieces.some((piece) => piece === unit);

/** What a request used, in the units that it is billed by. */
export interface Usage {
  /** Tokens that went in and came out; the classes are disjoint, so they add up. null where none were counted. */
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly pieces: readonly { readonly unit: Piece; readonly quantity: number }[];
}

/** Searches and fees are no part of it: they come with the tokens that they are told beside. */
export function usageOf({ terms }: Receipt): Usage {
  const counted = terms.flatMap(({ unit, quantity }) => (isPiece(unit) ? [{ unit, quantity }] : []));
  const ofTokens = terms.filter(({ unit }) => unitSides[unit] !== null);
  if (ofTokens.length === 0) return { tokens: null, pieces: counted };
  return { tokens: { input: sumOf(ofTokens, "input"), output: sumOf(ofTokens, "output") }, pieces: counted };
}

function sumOf(terms: readonly ReceiptTerm[], side: "input" | "output"): number {
  return terms.reduce((total, { unit, quantity }) => (unitSides[unit] === side ? total + quantity : total), 0);
}
