import { BitWriter } from "./bit-writer.ts";
import { UNIT, unitOf } from "./unit.ts";

/** Pixels on a side of a macroblock. */
export const BLOCK = 16;
/** Bits of `frame_num`. */
export const COUNTER_BITS = 8;

/** Constrained baseline: what every player has. */
const PROFILE = 66;
const CONSTRAINTS = 0b1100_0000;

/** Level, most macroblocks of a picture, most of a second (ITU-T H.264, table A-1). */
const LEVELS = [
  [30, 1_620, 40_500],
  [31, 3_600, 108_000],
  [40, 8_192, 245_760],
  [50, 22_080, 589_824],
  [51, 36_864, 983_040],
  [52, 36_864, 2_073_600],
  [62, 139_264, 16_711_680],
] as const;

/** Size and speed of a film. */
export interface FilmFormat {
  /** Even numbers of pixels. */
  readonly width: number;
  readonly height: number;
  /** Pictures a second. */
  readonly rate: number;
}

/** The unit that tells size, speed and colours. */
export function sequenceParameters({ width, height, rate }: FilmFormat): Buffer {
  const columns = Math.ceil(width / BLOCK);
  const rows = Math.ceil(height / BLOCK);
  const bits = new BitWriter();
  bits.put(PROFILE, 8);
  bits.put(CONSTRAINTS, 8);
  bits.put(levelFor(columns * rows, rate), 8);
  bits.putUnsigned(0);
  bits.putUnsigned(COUNTER_BITS - 4);
  // Pictures are shown in the order in which they are coded.
  bits.putUnsigned(2);
  // One earlier picture is referred to; no numbers are left out.
  bits.putUnsigned(1);
  bits.put(0, 1);
  bits.putUnsigned(columns - 1);
  bits.putUnsigned(rows - 1);
  // Whole pictures, no fields; direct_8x8_inference.
  bits.put(0b11, 2);
  putCropping(bits, columns * BLOCK - width, rows * BLOCK - height);
  putUsability(bits, rate);
  return unitOf(UNIT.sequence, bits);
}

/** What hangs over at the right and at the bottom, in pairs of pixels. */
function putCropping(bits: BitWriter, right: number, bottom: number): void {
  const crops = right > 0 || bottom > 0;
  bits.put(crops ? 1 : 0, 1);
  if (!crops) return;
  for (const pixels of [0, right, 0, bottom]) bits.putUnsigned(pixels / 2);
}

const BT709 = 1;

/** Colours and times (annex E): players guess where these are missing, each in its own way. */
function putUsability(bits: BitWriter, rate: number): void {
  bits.put(1, 1);
  // No aspect of pixels, no overscan; a video signal of unspecified format in limited range, with its colours.
  bits.put(0b001, 3);
  bits.put(5, 3);
  bits.put(0b01, 2);
  for (let matrix = 0; matrix < 3; matrix += 1) bits.put(BT709, 8);
  // No place of the chroma samples; times: a tick is half a picture, at a fixed rate.
  bits.put(0b01, 2);
  for (const figure of [1, 2 * rate]) {
    bits.put(figure >>> 16, 16);
    bits.put(figure & 65_535, 16);
  }
  // Fixed rate; no buffering models, no picture structures; limits of the stream.
  bits.put(0b1_00_0_1, 5);
  bits.put(1, 1);
  // No limit of bytes and bits; vectors; no picture is shown out of order; one is kept.
  for (const figure of [0, 0, 10, 10, 0, 1]) bits.putUnsigned(figure);
}

/** A quantiser at which a level is exactly one step of brightness: flat blocks are coded without loss. */
const QUANTISER = 28;
/** The same for the colours, whose transform is smaller. */
const COLOUR_OFFSET = -6;

/** The unit that tells how pictures are coded: variable-length codes, one slice, and an own word on deblocking. */
export function pictureParameters(): Buffer {
  const bits = new BitWriter();
  bits.putUnsigned(0);
  bits.putUnsigned(0);
  bits.put(0b00, 2);
  for (const figure of [0, 0, 0]) bits.putUnsigned(figure);
  bits.put(0b000, 3);
  bits.putSigned(QUANTISER - 26);
  bits.putSigned(0);
  bits.putSigned(COLOUR_OFFSET);
  bits.put(0b100, 3);
  return unitOf(UNIT.pictures, bits);
}

function levelFor(blocks: number, rate: number): number {
  const level = LEVELS.find(([, ofPicture, ofSecond]) => blocks <= ofPicture && blocks * rate <= ofSecond);
  if (level === undefined) throw new Error(`no level of H.264 has ${blocks} macroblocks at ${rate} pictures a second`);
  return level[0];
}
