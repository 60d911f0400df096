import { useCallback, useDeferredValue, useRef, useSyncExternalStore } from "react";

export const ROW_PX = 32;
const HEADER_PX = 32;
/** Fewer rows than this are all drawn. */
const WHOLE_BELOW = 100;
/** The window moves by this many rows at a time: scrolling draws a table once in so many rows, not at each pixel. */
const STEP = 16;

export interface RowWindow {
  /** The rows that are drawn: from `first` up to, and without, `last`. */
  readonly first: number;
  readonly last: number;
  /** Pixels that stand for the rows above and below. */
  readonly before: number;
  readonly after: number;
  readonly whole: boolean;
  /** A row in sight, for the keyboard to begin with when the row it was on is far away. */
  readonly inSight: number;
  /** Brings a row into the window, so that it can take focus. */
  show(index: number): void;
}

/**
 * Which of `count` rows are in sight of the scrolling `main` around `table`. Rows have one height: no measuring. A new
 * window is drawn in slices, and gives way to the next turn of the wheel: sixty rows in one go would hold the page up.
 */
export function useWindow(table: HTMLElement | null, count: number): RowWindow {
  // Measured when something moves, not at each drawing: that would lay the page out in the middle of it.
  const above = useRef(0);
  const subscribe = useCallback(
    (listener: () => void) => {
      const measure = (): void => {
        above.current = getStep(rowsAbove(table));
        listener();
      };
      const main = table?.closest("main");
      main?.addEventListener("scroll", measure, { passive: true });
      window.addEventListener("resize", measure);
      above.current = getStep(rowsAbove(table));
      return () => {
        main?.removeEventListener("scroll", measure);
        window.removeEventListener("resize", measure);
      };
    },
    [table],
  );
  const reached = useSyncExternalStore(subscribe, () => above.current);
  const top = useDeferredValue(reached);
  const fitting = useSyncExternalStore(subscribe, () => getStep(window.innerHeight / ROW_PX) + STEP);
  if (count < WHOLE_BELOW)
    return { first: 0, last: count, before: 0, after: 0, whole: true, inSight: 0, show: () => undefined };

  const first = Math.max(0, Math.min(top, count) - STEP);
  const last = Math.min(count, top + fitting + STEP);
  return {
    first,
    last,
    before: first * ROW_PX,
    after: (count - last) * ROW_PX,
    whole: false,
    inSight: Math.min(count - 1, top + (top === 0 ? 0 : STEP)),
    show(index) {
      // Uses the page's scroll position, which may be ahead of the rendered rows.
      if (index >= reached - STEP && index < reached + fitting + STEP) return;
      table?.closest("main")?.scrollBy({ top: (index - rowsAbove(table)) * ROW_PX, behavior: "instant" });
    },
  };
}

/** How many rows, with a fraction, are scrolled out above. */
export function rowsAbove(table: HTMLElement | null): number {
  const main = table?.closest("main");
  if (table === null || main === null || main === undefined) return 0;
  const distance = main.getBoundingClientRect().top - table.getBoundingClientRect().top - HEADER_PX;
  return Math.max(0, distance / ROW_PX);
}

function getStep(rows: number): number {
  return Math.floor(rows / STEP) * STEP;
}
