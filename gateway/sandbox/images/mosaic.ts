import type { Seed } from "../seed.ts";

/** Pixels on a side of a tile: the block of a JPEG, whose file then needs one number for each. */
export const TILE = 8;

/** Red, green, blue, opacity: 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/**
 * A picture of tiles of one colour each, out of few colours. So a file of any size is made from a few thousand numbers
 * in milliseconds, in every format, by the writers beside this file; encoders of photographs take a second for the same
 * and would hold up the gateway, in whose process the sandbox runs.
 */
export interface Mosaic {
  readonly width: number;
  readonly height: number;
  /** At most 256. */
  readonly palette: readonly Colour[];
  readonly columns: number;
  readonly rows: number;
  /** Index of each tile's colour, row by row. */
  readonly tiles: Uint8Array;
  readonly transparent: boolean;
}

const SHADES = 240;
const INK: Colour = [255, 255, 255, 255];
const CLEAR: Colour = [0, 0, 0, 0];
/** Where the palette has white. */
const INK_INDEX = SHADES;
const CLEAR_INDEX = SHADES + 1;

/** A gradient between two colours of the seed, in waves, with the word SANDBOX on it, or on nothing. */
export function mosaicOf(seed: Seed, width: number, height: number, transparent: boolean): Mosaic {
  const columns = Math.ceil(width / TILE);
  const rows = Math.ceil(height / TILE);
  const isInk = letteringFor(columns, rows);
  const hue = seed.number("hue", 360);
  const turn = 60 + seed.number("turn", 120);
  const waves = 1 + seed.number("waves", 3);
  const phase = (seed.number("phase", 360) * Math.PI) / 180;
  const tiles = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const across = column / columns;
      const down = row / rows;
      const wave = Math.sin(across * waves * Math.PI * 2 + down * 4 + phase) * 0.12;
      const shade = Math.min(0.999, Math.max(0, (across + down) / 2 + wave));
      const ground = transparent ? CLEAR_INDEX : Math.floor(shade * SHADES);
      tiles[row * columns + column] = isInk(column, row)
        ? transparent
          ? Math.floor(shade * SHADES)
          : INK_INDEX
        : ground;
    }
  }
  const shades = Array.from({ length: SHADES }, (_, index) => shadeOf(hue + (turn * index) / SHADES, index / SHADES));
  return { width, height, palette: [...shades, INK, CLEAR], columns, rows, tiles, transparent };
}

/** A colour of middle strength: hue in degrees, darker towards the end of the gradient. */
function shadeOf(hue: number, position: number): Colour {
  const light = 0.62 - 0.22 * position;
  const channel = (offset: number): number => {
    const k = (offset + hue / 30) % 12;
    return Math.round(255 * (light - 0.33 * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4), 255];
}

/** Letters of five columns and seven rows, as rows of bits. */
const LETTERS: Readonly<Record<string, readonly number[]>> = {
  S: [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110],
  A: [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
  N: [0b10001, 0b11001, 0b10101, 0b10011, 0b10001, 0b10001, 0b10001],
  D: [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
  B: [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110],
  O: [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
  X: [0b10001, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001, 0b10001],
};
const ROWS = 7;
const COLUMNS = 5;
/** With the gap behind a letter, and below a line. */
const LETTER_WIDTH = COLUMNS + 1;
const LINE_HEIGHT = ROWS + 1;

/** The word in one line, or in two where a picture is narrow. */
const LAYOUTS = [["SANDBOX"], ["SAND", "BOX"]];

/** Where a letter is: whether the tile at this column and row belongs to one. */
type Lettering = (column: number, row: number) => boolean;

/** The word SANDBOX in the middle of a picture of so many tiles, in the lines that let it be largest. */
function letteringFor(columns: number, rows: number): Lettering {
  let best: { readonly lines: readonly string[]; readonly scale: number } | null = null;
  for (const lines of LAYOUTS) {
    const scale = Math.min(columns / widthOf(lines), rows / (lines.length * LINE_HEIGHT - 1));
    // Two thirds of the picture are enough; but all of it rather than no word.
    const whole = Math.floor(scale * SHARE) || (scale >= 1 ? 1 : 0);
    if (whole > (best?.scale ?? 0)) best = { lines, scale: whole };
  }
  return best === null ? () => false : placed(best.lines, columns, rows, best.scale);
}

const SHARE = 2 / 3;

function widthOf(lines: readonly string[]): number {
  return Math.max(...lines.map((line) => line.length)) * LETTER_WIDTH - 1;
}

function placed(lines: readonly string[], columns: number, rows: number, scale: number): Lettering {
  const left = Math.floor((columns - widthOf(lines) * scale) / 2);
  const top = Math.floor((rows - (lines.length * LINE_HEIGHT - 1) * scale) / 2);
  return (column, row) => {
    const x = Math.floor((column - left) / scale);
    const y = Math.floor((row - top) / scale);
    if (x < 0 || y < 0) return false;
    const letter = lines[Math.floor(y / LINE_HEIGHT)]?.[Math.floor(x / LETTER_WIDTH)];
    const bits = letter === undefined ? 0 : (LETTERS[letter]?.[y % LINE_HEIGHT] ?? 0);
    return ((bits >> (COLUMNS - 1 - (x % LETTER_WIDTH))) & 1) === 1;
  };
}
