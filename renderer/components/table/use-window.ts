import { useVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useState, type RefObject } from "react";

const ROW_PX = 32;
const HEADER_PX = 32;
/** Fewer rows than this are all drawn. */
const WHOLE_BELOW = 100;
const OVERSCAN = 12;

export interface RowWindow {
  /** The rows that are drawn: from `first` up to, and without, `last`. */
  readonly first: number;
  readonly last: number;
  /** Pixels that stand for the rows above and below. */
  readonly before: number;
  readonly after: number;
  readonly whole: boolean;
  /** Brings a row into the window, so that it can take focus. */
  show(index: number): void;
}

/** Which of `count` rows are in sight of the scrolling `main` around `table`. */
export function useWindow(table: RefObject<HTMLElement | null>, count: number): RowWindow {
  const [top, setTop] = useState(HEADER_PX);
  const whole = count < WHOLE_BELOW;

  useLayoutEffect(() => {
    const main = table.current?.closest("main");
    if (table.current === null || main === null || main === undefined) return;
    const distance = table.current.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop;
    setTop(Math.round(distance) + HEADER_PX);
  });

  const rows = useVirtualizer({
    count: whole ? 0 : count,
    getScrollElement: () => table.current?.closest("main") ?? null,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: HEADER_PX,
  });
  if (whole) return { first: 0, last: count, before: 0, after: 0, whole, show: () => undefined };

  const items = rows.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = Math.min(count, (items.at(-1)?.index ?? -1) + 1);
  return {
    first,
    last,
    before: first * ROW_PX,
    after: (count - last) * ROW_PX,
    whole,
    show: (index) => rows.scrollToIndex(index, { align: "auto" }),
  };
}
