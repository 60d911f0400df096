import { type Mosaic, TILE } from "./mosaic.ts";

const SIGNATURE = 0x2f;
/** Values of one byte, and the lengths of references back, which are in the same alphabet and never come here. */
const VALUES = 256;
const REFERENCES = 24;

/**
 * A lossless WebP (RFC 9649) without a single pixel in it: its "entropy image" says for each tile which group of prefix
 * codes it is written with, each colour has a group of its own, and a code with only one value takes no bits.
 */
export function webpOf({ width, height, palette, tiles, transparent }: Mosaic): Buffer {
  const bits = new BitWriter();
  bits.put(SIGNATURE, 8);
  bits.put(width - 1, 14);
  bits.put(height - 1, 14);
  bits.put(transparent ? 1 : 0, 1);
  // Version; no transform; no colour cache; groups of codes for tiles.
  bits.put(0, 3);
  bits.put(0, 2);
  bits.put(1, 1);
  bits.put(Math.log2(TILE) - 2, 3);
  putTiles(bits, tiles);
  let last = 0;
  for (const tile of tiles) last = Math.max(last, tile);
  for (const [red, green, blue, alpha] of palette.slice(0, last + 1)) {
    for (const value of [green, red, blue, alpha]) putOnly(bits, value);
    putOnly(bits, 0);
  }
  return container(bits.end());
}

/** The tiles as an image of its own whose green is the number of a group: eight bits each. */
function putTiles(bits: BitWriter, tiles: Uint8Array): void {
  bits.put(0, 1);
  // Lengths of the codes of green: 1 bit for "eight", 1 for "never".
  bits.put(0, 1);
  bits.put(LENGTH_ORDER.length - 4, 4);
  for (const length of LENGTH_ORDER) bits.put(length === 0 || length === 8 ? 1 : 0, 3);
  bits.put(0, 1);
  for (let value = 0; value < VALUES + REFERENCES; value += 1) bits.put(value < VALUES ? 1 : 0, 1);
  for (const value of [0, 0, 0, 0]) putOnly(bits, value);
  for (const tile of tiles) bits.put(turned(tile), 8);
}

/** The order in which lengths of the codes for lengths are written (RFC 9649, 3.7.2.1.2). */
const LENGTH_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/** A code of which only one value comes. */
function putOnly(bits: BitWriter, value: number): void {
  bits.put(0b101, 3);
  bits.put(value, 8);
}

/** Prefix codes are written from their highest bit on, and all else from the lowest. */
function turned(byte: number): number {
  let result = 0;
  for (let bit = 0; bit < 8; bit += 1) result |= ((byte >> bit) & 1) << (7 - bit);
  return result;
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

  end(): Buffer {
    if (this.#count > 0) this.put(0, 8 - this.#count);
    return Buffer.from(this.#bytes);
  }
}
