import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { getColumns, type TileSize } from "./tile-grid.ts";

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
export function useTileWindow(grid: HTMLElement | null, width: number, count: number, size: TileSize): TileWindow {
  const { pitch } = size;
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
  const topRow = useSyncExternalStore(subscribe, () => Math.floor(rowsAbove(grid, pitch)));
  const rows = useSyncExternalStore(subscribe, () => Math.ceil(window.innerHeight / pitch));

  const columns = getColumns(width, size);
  const allRows = Math.ceil(count / columns);
  const top = Math.min(topRow, Math.max(0, allRows - 1));
  const firstRow = Math.max(0, top - SPARE_ROWS);
  const lastRow = Math.min(allRows, top + rows + SPARE_ROWS);
  useKeptPlace(grid, top * columns, columns, pitch);
  return {
    columns,
    first: firstRow * columns,
    last: Math.min(count, lastRow * columns),
    before: firstRow * pitch,
    after: (allRows - lastRow) * pitch,
    top: top * columns,
    rows: Math.max(1, rows - 1),
    show(index) {
      const row = Math.floor(index / columns);
      if (row >= firstRow && row < lastRow) return;
      // Centers the tile on the screen: its surroundings are of interest, too.
      const above = row - Math.floor(rows / 2) - rowsAbove(grid, pitch);
      grid?.closest("main")?.scrollBy({ top: above * pitch, behavior: "instant" });
    },
  };
}

/** How many rows, with a fraction, are scrolled out above; none while the grid begins further down. */
function rowsAbove(grid: HTMLElement | null, pitch: number): number {
  const main = grid?.closest("main");
  if (grid === null || main === null || main === undefined) return 0;
  return Math.max(0, (main.getBoundingClientRect().top - grid.getBoundingClientRect().top) / pitch);
}

/** Keeps the first tile in sight where it was, when tiles of another size, or another number in a row, move it. */
function useKeptPlace(grid: HTMLElement | null, top: number, columns: number, pitch: number): void {
  const before = useRef({ top, columns, pitch });
  useLayoutEffect(() => {
    const was = before.current;
    if (was.columns === columns && was.pitch === pitch) return;
    before.current = { top: was.top, columns, pitch };
    if (was.top === 0) return;
    const rows = Math.floor(was.top / columns) - rowsAbove(grid, pitch);
    grid?.closest("main")?.scrollBy({ top: rows * pitch, behavior: "instant" });
  });
  useEffect(() => {
    if (before.current.columns === columns && before.current.pitch === pitch) before.current.top = top;
  }, [top, columns, pitch]);
}
