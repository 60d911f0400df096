import { useState } from "react";
import { getPlaces, type RowList } from "../../lib/row-list.ts";

/** Max rows that are highlighted at the same time: more is unreadable, and costs rendering time. */
const MOST_MARKED = 3;
/**
 * Number of top rows among which new rows are detected, compared to twice as many earlier ones, as some may have moved
 * up.
 */
const LOOKED_AT = 60;

/** Rows at the last render, and which of them are marked as new. */
export interface Arrivals {
  readonly known: ReadonlySet<string>;
  readonly marked: ReadonlySet<string>;
}

/** The first drawing marks nothing. */
export function getArrivals<Row>(rows: RowList<Row>, rowKey: (row: Row) => string): Arrivals {
  return { known: new Set(getKeys(rows, LOOKED_AT * 2, rowKey)), marked: new Set() };
}

/** The next drawing: rows that are new among the first are marked when they are few, and stay marked while they are there. `before` itself where the same rows are. */
export function arrivalsAfter<Row>(before: Arrivals, rows: RowList<Row>, rowKey: (row: Row) => string): Arrivals {
  const keys = getKeys(rows, LOOKED_AT * 2, rowKey);
  if (keys.length === before.known.size && keys.every((key) => before.known.has(key))) return before;
  const top = keys.slice(0, LOOKED_AT);
  const fresh = top.filter((key) => !before.known.has(key));
  const marked = top.filter((key) => before.marked.has(key));
  return { known: new Set(keys), marked: new Set(fresh.length > MOST_MARKED ? marked : [...fresh, ...marked]) };
}

function getKeys<Row>(rows: RowList<Row>, count: number, rowKey: (row: Row) => string): string[] {
  return getPlaces(rows, 0, Math.min(rows.length, count), rowKey).map(({ key }) => key);
}

/** Returns the keys of rows marked as new; none if `live` is false. */
export function useFreshRows<Row>(
  rows: RowList<Row>,
  rowKey: (row: Row) => string,
  live: boolean,
): ReadonlySet<string> {
  const [drawn, setDrawn] = useState(() => getArrivals(live ? rows : [], rowKey));
  const arrivals = live ? arrivalsAfter(drawn, rows, rowKey) : drawn;
  if (arrivals !== drawn) setDrawn(arrivals);
  return arrivals.marked;
}
