import { useCallback, useDeferredValue, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";

/** Dimensions of a grid of equally sized cells, so that nothing is measured while scrolling. */
export interface GridSize {
  readonly columns: number;
  /** Pixels from one row to the next. */
  readonly pitch: number;
  /** Pixels above the first row. */
  readonly header: number;
  /** Rows by which the window moves at a time, and spare rows at its edges. */
  readonly step: number;
  /** Below this number of cells all are rendered. */
  readonly wholeBelow: number;
}

/** Cells that are rendered, and the space of the others. */
export interface GridWindow {
  /** Range from `first` to before `last`. */
  readonly first: number;
  readonly last: number;
  /** Height in pixels of the rows above and below. */
  readonly before: number;
  readonly after: number;
  readonly whole: boolean;
  /** A visible cell, where the keyboard starts if its cell is far away. */
  readonly inSight: number;
  /** Rows that fit on the screen. */
  readonly rows: number;
  /** Scrolls a cell that is not rendered to the middle of the screen. */
  show(index: number): void;
}

/**
 * Returns which of `count` cells are visible in the scrolling `main` around a grid. A large move is rendered in
 * interruptible slices.
 */
export function useWindow(grid: HTMLElement | null, count: number, size: GridSize): GridWindow {
  const { columns, pitch, step } = size;
  // Measured when something moves: measuring during a render forces a layout.
  const above = useRef(0);
  const subscribe = useCallback(
    (listener: () => void) => {
      const measure = (): void => {
        above.current = Math.floor(countRowsAbove(grid, size) / size.step) * size.step;
        listener();
      };
      const main = grid?.closest("main");
      main?.addEventListener("scroll", measure, { passive: true });
      window.addEventListener("resize", measure);
      measure();
      return () => {
        main?.removeEventListener("scroll", measure);
        window.removeEventListener("resize", measure);
      };
    },
    [grid, size],
  );
  const reached = useSyncExternalStore(subscribe, () => above.current);
  const deferred = useDeferredValue(reached);
  const fitting = useSyncExternalStore(subscribe, () => Math.ceil(window.innerHeight / pitch / step) * step);
  const allRows = Math.ceil(count / columns);
  const whole = count < size.wholeBelow;
  const top = Math.min(step === 1 ? reached : deferred, Math.max(0, allRows - 1));
  const spare = Math.max(2, step);
  const firstRow = whole ? 0 : Math.max(0, top - spare);
  const lastRow = whole ? allRows : Math.min(allRows, top + fitting + spare);
  useKeptPlace(grid, top * columns, size);
  return {
    first: firstRow * columns,
    last: Math.min(count, lastRow * columns),
    before: firstRow * pitch,
    after: (allRows - lastRow) * pitch,
    whole,
    inSight: whole ? 0 : Math.min(count - 1, (top + (top === 0 || step === 1 ? 0 : step)) * columns),
    rows: Math.max(1, fitting - 1),
    show(index) {
      const row = Math.floor(index / columns);
      // The scroll position may be ahead of the rendered rows.
      if (whole || (row >= reached - spare && row < reached + fitting + spare)) return;
      const distance = row - Math.floor(window.innerHeight / pitch / 2) - countRowsAbove(grid, size);
      grid?.closest("main")?.scrollBy({ top: distance * pitch, behavior: "instant" });
    },
  };
}

/** Returns the rows, with a fraction, that are scrolled out above. */
export function countRowsAbove(grid: HTMLElement | null, { pitch, header }: GridSize): number {
  const main = grid?.closest("main");
  if (grid === null || main === null || main === undefined) return 0;
  return Math.max(0, (main.getBoundingClientRect().top - grid.getBoundingClientRect().top - header) / pitch);
}

/** Keeps the first visible cell in place when the cell size or number per row changes. */
function useKeptPlace(grid: HTMLElement | null, top: number, size: GridSize): void {
  const before = useRef({ top, size });
  useLayoutEffect(() => {
    const was = before.current;
    if (was.size.columns === size.columns && was.size.pitch === size.pitch) return;
    before.current = { top: was.top, size };
    if (was.top === 0) return;
    const rows = Math.floor(was.top / size.columns) - countRowsAbove(grid, size);
    grid?.closest("main")?.scrollBy({ top: rows * size.pitch, behavior: "instant" });
  });
  useEffect(() => {
    if (before.current.size.columns === size.columns && before.current.size.pitch === size.pitch)
      before.current.top = top;
  }, [top, size]);
}
