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

/** The word SANDBOX in two lines: near enough to the shape of every picture. */
const WORD = [
  ".####..###..#...#.####.",
  "#.....#...#.##..#.#...#",
  "#.....#...#.#.#.#.#...#",
  ".###..#####.#..##.#...#",
  "....#.#...#.#...#.#...#",
  "....#.#...#.#...#.#...#",
  "####..#...#.#...#.####.",
  ".......................",
  "...####...###..#...#...",
  "...#...#.#...#.#...#...",
  "...#...#.#...#..#.#....",
  "...####..#...#...#.....",
  "...#...#.#...#..#.#....",
  "...#...#.#...#.#...#...",
  "...####...###..#...#...",
] as const;
const WORD_WIDTH = WORD[0].length;
/** As much of the picture as the word takes; all of it in a small one. */
const SHARE = 0.7;

/** Whether the tile at this column and row of a picture of so many tiles is ink: the word is in the middle. */
function letteringFor(columns: number, rows: number): (column: number, row: number) => boolean {
  const room = Math.min(columns / WORD_WIDTH, rows / WORD.length);
  const scale = Math.max(Math.floor(room * SHARE), Math.min(1, Math.floor(room)));
  const left = Math.floor((columns - WORD_WIDTH * scale) / 2);
  const top = Math.floor((rows - WORD.length * scale) / 2);
  return (column, row) => WORD[Math.floor((row - top) / scale)]?.[Math.floor((column - left) / scale)] === "#";
}
