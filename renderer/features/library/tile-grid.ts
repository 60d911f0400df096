/** The measures of a tile, px. One size for all: which of them are in sight is a division. */
export const TILE = { narrowest: 148, height: 188, gap: 12, pitch: 200 } as const;

/** Tiles beside each other. Two at the least: a phone shows more than one thing at a time. */
export function columnsOf(width: number): number {
  return Math.max(2, Math.floor((width + TILE.gap) / (TILE.narrowest + TILE.gap)));
}

/**
 * Where a key leads among tiles that fill a grid row by row.
 * @param rows that fit on the screen
 * @returns the tile's number; null for a key that does not move
 */
export function tileAfter(key: string, from: number, count: number, columns: number, rows: number): number | null {
  const to = stepOf(key, columns, rows);
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (to === null) return null;
  const next = from + to;
  // A step down from the last full row leads to the last tile, which may stand further left.
  if (next >= count)
    return to >= columns && Math.floor((count - 1) / columns) === Math.floor(from / columns) ? from : count - 1;
  if (next < 0) return to <= -columns && from < columns ? from : 0;
  return next;
}

function stepOf(key: string, columns: number, rows: number): number | null {
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
