import { useLayoutEffect, useRef } from "react";
import type { RowList } from "../../lib/row-list.ts";
import { ROW_PX, rowsAbove } from "./use-window.ts";

/**
 * Keeps what one reads in its place while rows come and go above it: the scroll position follows the first row in
 * sight. At the top of the list nothing is held, so that new rows are seen to arrive.
 */
export function useSteadyRows<Row>(
  table: HTMLElement | null,
  rows: RowList<Row>,
  rowKey: (row: Row) => string,
  steady: boolean,
): void {
  const shown = useRef(rows);
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = rows;
    if (!steady || before === rows) return;
    const above = rowsAbove(table);
    if (above === 0) return;
    const index = Math.ceil(above);
    const row = before.at(index);
    if (row === undefined) return;
    const key = rowKey(row);
    const now = rows.findIndex((each) => rowKey(each) === key);
    if (now === -1 || now === index) return;
    table?.closest("main")?.scrollBy({ top: (now - index) * ROW_PX, behavior: "instant" });
  });
}
