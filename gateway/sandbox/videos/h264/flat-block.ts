import type { BitWriter } from "./bit-writer.ts";

/** Brightness and two colour differences, 0 to 255 each. */
export type Shade = readonly [luma: number, blue: number, red: number];

/** What a decoder supposes where a picture begins. */
export const NOTHING: Shade = [128, 128, 128];

/** Where a block takes its supposition from: names of `Intra16x16PredMode` and `intra_chroma_pred_mode`. */
export type Neighbour = "above" | "left" | "none";
const LUMA_MODES: Readonly<Record<Neighbour, number>> = { above: 0, left: 1, none: 2 };
const COLOUR_MODES: Readonly<Record<Neighbour, number>> = { above: 2, left: 1, none: 0 };
/** A picture that may also repeat blocks counts its own five types before these. */
const TYPES_BEFORE = 5;

/**
 * A macroblock of one colour, `I_16x16`: the difference to a neighbour's colour, one number for each component and none
 * where it is zero (ITU-T H.264, 7.3.5 and 9.2). No block ever has more, so the number of coefficients that a context
 * is told from is always zero.
 */
export function putFlatBlock(bits: BitWriter, shade: Shade, beside: Shade, from: Neighbour, repeats: boolean): void {
  const [luma, blue, red] = [shade[0] - beside[0], shade[1] - beside[1], shade[2] - beside[2]];
  const coloured = blue !== 0 || red !== 0;
  bits.putUnsigned((repeats ? TYPES_BEFORE : 0) + 1 + LUMA_MODES[from] + (coloured ? 4 : 0));
  bits.putUnsigned(COLOUR_MODES[from]);
  // The quantiser stays.
  bits.putSigned(0);
  putOnly(bits, luma, { none: [1, 1], one: [1, 2], other: [0b000101, 6] });
  if (!coloured) return;
  for (const level of [blue, red]) putOnly(bits, level, { none: [1, 2], one: [1, 1], other: [0b000111, 6] });
}

/** `coeff_token` of no coefficient, of one that is ±1, of another one: bits and how many (table 9-5). */
interface Tokens {
  readonly none: readonly [number, number];
  readonly one: readonly [number, number];
  readonly other: readonly [number, number];
}

/** The first coefficient of a block that has no other. */
function putOnly(bits: BitWriter, level: number, tokens: Tokens): void {
  if (level === 0) return bits.put(...tokens.none);
  if (Math.abs(level) === 1) {
    bits.put(...tokens.one);
    bits.put(level < 0 ? 1 : 0, 1);
  } else {
    bits.put(...tokens.other);
    putLevel(bits, level);
  }
  // No zeros before it.
  bits.put(1, 1);
}

/** 9.2.2.1 for the first level, which cannot be ±1: numbered 2, -2, 3, -3, … */
function putLevel(bits: BitWriter, level: number): void {
  const code = (level > 0 ? 2 * level - 2 : -2 * level - 1) - 2;
  if (code < 14) return bits.put(1, code + 1);
  if (code < 30) {
    bits.put(1, 15);
    return bits.put(code - 14, 4);
  }
  bits.put(1, 16);
  bits.put(code - 30, 12);
}
