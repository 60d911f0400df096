import { type Colour, type Mosaic, TILE } from "./mosaic.ts";

/** Longest run of one reference back (RFC 9649, 3.6.2.2: prefix codes up to 24). */
const LONGEST_RUN = 4_096;
const SIGNATURE = 0x2f;
const COLOUR_INDEXING = 3;
/** Codes of two distances: the pixel above, the pixel to the left. */
const ABOVE = 0;
const LEFT = 1;
/** In the alphabet of green: 256 colours of nine bits; sixteen lengths of runs of six bits and eight of five. */
const COLOURS = 256;
const RUNS_OF_SIX = 16;
const RUNS = 24;

/** A lossless WebP (RFC 9649) with a palette: a row of tiles is runs of colours, its other rows are copies of the first. */
export function webpOf(mosaic: Mosaic): Buffer {
  const bits = new BitWriter();
  bits.put(SIGNATURE, 8);
  bits.put(mosaic.width - 1, 14);
  bits.put(mosaic.height - 1, 14);
  bits.put(mosaic.transparent ? 1 : 0, 1);
  bits.put(0, 3);
  putPalette(bits, mosaic.palette);
  // No further transform, no colour cache, one group of codes for the whole picture.
  bits.put(0, 3);
  putGreenCodes(bits);
  for (let channel = 0; channel < 3; channel += 1) putOnlyZero(bits);
  putDistanceCodes(bits);
  putPixels(bits, mosaic);
  return container(bits.end());
}

function container(content: Buffer): Buffer {
  const padded = content.length + (content.length % 2);
  const head = Buffer.alloc(20);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(12 + padded, 4);
  head.write("WEBPVP8L", 8, "latin1");
  head.writeUInt32LE(content.length, 16);
  return Buffer.concat([head, content, Buffer.alloc(padded - content.length)]);
}

/** The palette is an image of one row, each colour as its difference to the one before. */
function putPalette(bits: BitWriter, palette: readonly Colour[]): void {
  bits.put(1, 1);
  bits.put(COLOUR_INDEXING, 2);
  bits.put(palette.length - 1, 8);
  bits.put(0, 1);
  putFlatCodes(bits, RUNS);
  for (let channel = 0; channel < 3; channel += 1) putFlatCodes(bits, 0);
  putOnlyZero(bits);
  let before: Colour = [0, 0, 0, 0];
  for (const colour of palette) {
    const [red, green, blue, alpha] = colour.map((value, channel) => (value - (before[channel] ?? 0)) & 255) as [
      number,
      number,
      number,
      number,
    ];
    for (const value of [green, red, blue, alpha]) bits.putCode(value, 8);
    before = colour;
  }
}

/** 256 values of eight bits each, then `unused` that never come. */
function putFlatCodes(bits: BitWriter, unused: number): void {
  putLengthCodes(bits, { 0: 1, 8: 1 });
  for (let value = 0; value < COLOURS; value += 1) bits.putCode(1, 1);
  for (let value = 0; value < unused; value += 1) bits.putCode(0, 1);
}

function putGreenCodes(bits: BitWriter): void {
  putLengthCodes(bits, { 9: 1, 5: 2, 6: 2 });
  for (let value = 0; value < COLOURS; value += 1) bits.putCode(0b0, 1);
  for (let run = 0; run < RUNS; run += 1) bits.putCode(run < RUNS_OF_SIX ? 0b11 : 0b10, 2);
}

/** The order in which lengths of the codes for lengths are written (RFC 9649, 3.7.2.1.2). */
const LENGTH_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

function putLengthCodes(bits: BitWriter, lengths: Readonly<Record<number, number>>): void {
  bits.put(0, 1);
  bits.put(LENGTH_ORDER.length - 4, 4);
  for (const length of LENGTH_ORDER) bits.put(lengths[length] ?? 0, 3);
  // Lengths follow for the whole alphabet.
  bits.put(0, 1);
}

/** An alphabet of which only 0 comes: it takes no bits afterwards. */
function putOnlyZero(bits: BitWriter): void {
  bits.put(0b0001, 4);
}

/** 0 and 1, one bit each. */
function putDistanceCodes(bits: BitWriter): void {
  bits.put(0b011, 3);
  bits.put(0, 1);
  bits.put(1, 8);
}

function putPixels(bits: BitWriter, { width, height, columns, rows, tiles }: Mosaic): void {
  for (let row = 0; row < rows; row += 1) {
    let column = 0;
    while (column < columns) {
      const colour = tiles[row * columns + column] ?? 0;
      const from = column;
      while (column < columns && tiles[row * columns + column] === colour) column += 1;
      putColour(bits, colour);
      putRun(bits, Math.min(column * TILE, width) - from * TILE - 1, LEFT);
    }
    putRun(bits, width * (Math.min((row + 1) * TILE, height) - row * TILE - 1), ABOVE);
  }
}

/** Canonical codes: the eight of five bits are 0 to 7, the sixteen of six bits follow, then those of nine. */
function putColour(bits: BitWriter, colour: number): void {
  bits.putCode(COLOURS + colour, 9);
}

function putRun(bits: BitWriter, pixels: number, distance: typeof ABOVE | typeof LEFT): void {
  for (let left = pixels; left > 0; left -= LONGEST_RUN) {
    const value = Math.min(left, LONGEST_RUN) - 1;
    const extra = value < 4 ? 0 : 30 - Math.clz32(value);
    const prefix = value < 4 ? value : 2 * (extra + 1) + ((value >> extra) & 1);
    if (prefix < RUNS_OF_SIX) bits.putCode(16 + prefix, 6);
    else bits.putCode(prefix - RUNS_OF_SIX, 5);
    bits.put(value & ((1 << extra) - 1), extra);
    bits.putCode(distance, 1);
  }
}

/** Writes bits as lossless WebP has them: numbers from their lowest bit on, prefix codes from their highest. */
class BitWriter {
  readonly #bytes: number[] = [];
  #bits = 0;
  #count = 0;

  /** @param length at most 16. */
  put(value: number, length: number): void {
    this.#bits |= value << this.#count;
    this.#count += length;
    while (this.#count >= 8) {
      this.#bytes.push(this.#bits & 255);
      this.#bits >>>= 8;
      this.#count -= 8;
    }
  }

  putCode(code: number, length: number): void {
    let turned = 0;
    for (let bit = 0; bit < length; bit += 1) turned |= ((code >> bit) & 1) << (length - 1 - bit);
    this.put(turned, length);
  }

  end(): Buffer {
    if (this.#count > 0) this.put(0, 8 - this.#count);
    return Buffer.from(this.#bytes);
  }
}
