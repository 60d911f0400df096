import type { Mosaic } from "./mosaic.ts";

const START = [0xff, 0xd8];
const END = [0xff, 0xd9];
/** JFIF 1.1, without a density and without a thumbnail. */
const JFIF = segment(0xe0, [...Buffer.from("JFIF\0", "latin1"), 1, 1, 0, 0, 1, 0, 1, 0, 0]);
/** Every step is 8: the mean of a block of 8×8, times 8 as the transform has it, is then the number that is written. */
const QUANTISATION = segment(0xdb, [0, ...Array.from({ length: 64 }, () => 8)]);
/** Lengths of differences: twelve codes of four bits, each the length itself. */
const LENGTHS = segment(0xc4, [0x00, ...codeCounts(4, 12), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
/** Of the detail within a block: one code of one bit, "none". */
const DETAILS = segment(0xc4, [0x10, ...codeCounts(1, 1), 0]);
/** Three components of full size, all with the tables 0. */
const COMPONENTS = [1, 2, 3];
const SCAN = segment(0xda, [3, ...COMPONENTS.flatMap((id) => [id, 0x00]), 0, 63, 0]);

/** A baseline JPEG whose blocks have a mean and no detail (ITU T.81): what a mosaic is. */
export function jpegOf(mosaic: Mosaic): Buffer {
  const { width, height, palette, tiles } = mosaic;
  const frame = segment(0xc0, [
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    3,
    ...COMPONENTS.flatMap((id) => [id, 0x11, 0]),
  ]);
  const colours = palette.map(([red, green, blue]) => shiftedOf(red, green, blue));
  const scan = new ScanWriter();
  let before: readonly number[] = [0, 0, 0];
  for (const tile of tiles) {
    const now = colours[tile] ?? before;
    for (let component = 0; component < 3; component += 1) {
      scan.difference((now[component] ?? 0) - (before[component] ?? 0));
    }
    before = now;
  }
  const head = [...START, ...JFIF, ...QUANTISATION, ...frame, ...LENGTHS, ...DETAILS, ...SCAN];
  return Buffer.concat([Buffer.from(head), scan.end(), Buffer.from(END)]);
}

/** Brightness and two colour differences, around zero (JFIF). */
function shiftedOf(red: number, green: number, blue: number): readonly number[] {
  return [
    Math.round(0.299 * red + 0.587 * green + 0.114 * blue) - 128,
    Math.round(-0.168_7 * red - 0.331_3 * green + 0.5 * blue),
    Math.round(0.5 * red - 0.418_7 * green - 0.081_3 * blue),
  ];
}

/** Bits, the highest first; a byte of ones is followed by a zero, so that it is no marker. */
class ScanWriter {
  readonly #bytes: number[] = [];
  #bits = 0;
  #count = 0;

  /** The length of a number in four bits, the number (negative ones less one), and "no detail". */
  difference(value: number): void {
    const length = 32 - Math.clz32(Math.abs(value));
    this.#put(length, 4);
    if (length > 0) this.#put(value < 0 ? value + (1 << length) - 1 : value, length);
    this.#put(0, 1);
  }

  end(): Buffer {
    if (this.#count > 0) this.#put((1 << (8 - this.#count)) - 1, 8 - this.#count);
    return Buffer.from(this.#bytes);
  }

  #put(value: number, length: number): void {
    this.#bits = (this.#bits << length) | value;
    this.#count += length;
    while (this.#count >= 8) {
      this.#count -= 8;
      const byte = (this.#bits >> this.#count) & 255;
      this.#bytes.push(byte);
      if (byte === 255) this.#bytes.push(0);
    }
    this.#bits &= (1 << this.#count) - 1;
  }
}

function segment(marker: number, content: readonly number[]): readonly number[] {
  const length = content.length + 2;
  return [0xff, marker, length >> 8, length & 255, ...content];
}

/** How many codes there are of each length from 1 to 16. */
function codeCounts(length: number, codes: number): readonly number[] {
  return Array.from({ length: 16 }, (_, index) => (index + 1 === length ? codes : 0));
}
