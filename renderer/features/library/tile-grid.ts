/** The measures of a tile, px; `pitch` is from one row to the next. */
export interface TileSize {
  readonly narrowest: number;
  /** Min number of columns. */
  readonly fewest: number;
  readonly height: number;
  readonly gap: number;
  readonly pitch: number;
}

export const densities = ["small", "large"] as const;
export type Density = (typeof densities)[number];

/**
 * All tiles of a grid have one size, so the visible range is a division, even if no tile is loaded. A phone shows two
 * small tiles per row.
 */
export const tileSizes: Readonly<Record<Density, TileSize>> = {
  small: { narrowest: 148, fewest: 2, height: 188, gap: 12, pitch: 200 },
  large: { narrowest: 264, fewest: 1, height: 304, gap: 16, pitch: 320 },
};

/** @param stored remembered choice, null for none */
export const getDensity = (stored: string | null): Density => densities.find((each) => each === stored) ?? "small";

/** Tiles next to each other. */
export function getColumns(width: number, { narrowest, fewest, gap }: TileSize): number {
  return Math.max(fewest, Math.floor((width + gap) / (narrowest + gap)));
}

/**
 * Returns the tile to which a key moves in a grid that is filled row by row.
 * @param rows that fit on the screen
 * @returns the tile's number; null for a key that does not move
 */
export function tileAfter(key: string, from: number, count: number, columns: number, rows: number): number | null {
  const to = getStep(key, columns, rows);
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (to === null) return null;
  const next = from + to;
  // Moving down from the last full row leads to the last tile, which may be further left.
  if (next >= count)
    return to >= columns && Math.floor((count - 1) / columns) === Math.floor(from / columns) ? from : count - 1;
  if (next < 0) return to <= -columns && from < columns ? from : 0;
  return next;
}

function getStep(key: string, columns: number, rows: number): number | null {
  switch (key) {
    case "ArrowRight":
    case "j":
      return 1;
    case "ArrowLeft":
    case "k":
      return -1;
    case "ArrowDown":
      return columns;
    case "ArrowUp":
      return -columns;
    case "PageDown":
      return columns * rows;
    case "PageUp":
      return -columns * rows;
    default:
      return null;
  }
}
