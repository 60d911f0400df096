import { BitWriter } from "./bit-writer.ts";
import { NOTHING, putFlatBlock, type Neighbour, type Shade } from "./flat-block.ts";
import { COUNTER_BITS } from "./parameter-sets.ts";
import { UNIT, unitOf } from "./unit.ts";

/** A picture of macroblocks of one colour each. */
export interface Tiling {
  readonly columns: number;
  /** Index of each block's colour, row by row. */
  readonly tiles: Uint8Array;
  readonly shades: readonly Shade[];
}

const REPEATING = 5;
const WHOLE = 7;

/** A picture that stands by itself: players can begin at it. @param number of such pictures before it */
export function keyPicture(tiling: Tiling, number: number): Buffer {
  const bits = sliceOf(WHOLE, 0);
  bits.putUnsigned(number % 2);
  // Earlier pictures are neither held back nor kept for long.
  bits.put(0b00, 2);
  putNoDeblocking(bits);
  for (let index = 0; index < tiling.tiles.length; index += 1) putBlock(bits, tiling, index, false);
  return unitOf(UNIT.keyPicture, bits);
}

/** A picture that repeats the one before it but for the blocks that changed. @param count pictures since the last key picture */
export function nextPicture(tiling: Tiling, before: Uint8Array, count: number): Buffer {
  const bits = sliceOf(REPEATING, count);
  // The usual references in their usual order; no marks.
  bits.put(0b000, 3);
  putNoDeblocking(bits);
  let repeated = 0;
  for (let index = 0; index < tiling.tiles.length; index += 1) {
    if (tiling.tiles[index] === before[index]) {
      repeated += 1;
      continue;
    }
    bits.putUnsigned(repeated);
    repeated = 0;
    putBlock(bits, tiling, index, true);
  }
  if (repeated > 0) bits.putUnsigned(repeated);
  return unitOf(UNIT.picture, bits);
}

function sliceOf(type: number, count: number): BitWriter {
  const bits = new BitWriter();
  for (const figure of [0, type, 0]) bits.putUnsigned(figure);
  bits.put(count % (1 << COUNTER_BITS), COUNTER_BITS);
  return bits;
}

/** The quantiser as it was said, and no filter: it would blur the edges of the blocks. */
function putNoDeblocking(bits: BitWriter): void {
  bits.putSigned(0);
  bits.putUnsigned(1);
}

function putBlock(bits: BitWriter, { columns, tiles, shades }: Tiling, index: number, repeats: boolean): void {
  const from: Neighbour = index % columns > 0 ? "left" : index > 0 ? "above" : "none";
  const neighbour = from === "left" ? tiles[index - 1] : from === "above" ? tiles[index - columns] : undefined;
  const beside = neighbour === undefined ? NOTHING : (shades[neighbour] ?? NOTHING);
  putFlatBlock(bits, shades[tiles[index] ?? 0] ?? NOTHING, beside, from, repeats);
}
