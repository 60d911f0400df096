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
export type Lettering = (column: number, row: number) => boolean;

/** The word SANDBOX in the middle of a picture of so many tiles, in the lines that let it be largest. */
export function letteringFor(columns: number, rows: number): Lettering {
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
