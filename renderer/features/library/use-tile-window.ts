import { useCallback, useSyncExternalStore } from "react";
import { columnsOf, TILE } from "./tile-grid.ts";

export interface TileWindow {
  readonly columns: number;
  /** The tiles that are drawn: from `first` up to, and without, `last`. */
  readonly first: number;
  readonly last: number;
  /** Pixels that stand for the rows above and below. */
  readonly before: number;
  readonly after: number;
  /** The first tile in sight. */
  readonly top: number;
  /** Rows that fit on the screen. */
  readonly rows: number;
  /** Brings a tile into the window, so that it can take the focus. */
  show(index: number): void;
}

/** Rows beyond the edges that are drawn already. */
const SPARE_ROWS = 2;

/** Which of `count` tiles are in sight of the scrolling `main` around `grid`. Tiles have one height: no measuring. */
export function useTileWindow(grid: HTMLElement | null, width: number, count: number): TileWindow {
  const subscribe = useCallback(
    (listener: () => void) => {
      const main = grid?.closest("main");
      main?.addEventListener("scroll", listener, { passive: true });
      window.addEventListener("resize", listener);
      return () => {
        main?.removeEventListener("scroll", listener);
        window.removeEventListener("resize", listener);
      };
    },
    [grid],
  );
  // Whole rows, so that scrolling draws the grid once for each of them and not at each pixel.
  const topRow = useSyncExternalStore(subscribe, () => Math.floor(rowsAbove(grid)));
  const rows = useSyncExternalStore(subscribe, () => Math.ceil(window.innerHeight / TILE.pitch));

  const columns = columnsOf(width);
  const allRows = Math.ceil(count / columns);
  const top = Math.min(topRow, Math.max(0, allRows - 1));
  const firstRow = Math.max(0, top - SPARE_ROWS);
  const lastRow = Math.min(allRows, top + rows + SPARE_ROWS);
  return {
    columns,
    first: firstRow * columns,
    last: Math.min(count, lastRow * columns),
    before: firstRow * TILE.pitch,
    after: (allRows - lastRow) * TILE.pitch,
    top: top * columns,
    rows: Math.max(1, rows - 1),
    show(index) {
      const row = Math.floor(index / columns);
      if (row >= firstRow && row < lastRow) return;
      // In the middle of the screen: what surrounds it is of interest, too.
      const above = row - Math.floor(rows / 2) - rowsAbove(grid);
      grid?.closest("main")?.scrollBy({ top: above * TILE.pitch, behavior: "instant" });
    },
  };
}

/** How many rows, with a fraction, are scrolled out above; negative while the grid begins further down. */
function rowsAbove(grid: HTMLElement | null): number {
  const main = grid?.closest("main");
  if (grid === null || main === null || main === undefined) return 0;
  return Math.max(0, (main.getBoundingClientRect().top - grid.getBoundingClientRect().top) / TILE.pitch);
}
