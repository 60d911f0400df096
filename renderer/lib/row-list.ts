/** Ordered rows, of which only a part may be loaded. An array is one; see api/paged-rows.ts for another. */
export interface RowList<Row> {
  readonly length: number;
  /** Returns the row at this place; `undefined` if it is not loaded. */
  at(index: number): Row | undefined;
  /** Returns the place of the first loaded row that matches; -1 if there is no such row. */
  findIndex(match: (row: Row) => boolean): number;
  /** Called with the range of drawn rows: from `first` up to, and without, `last`. */
  want?(first: number, last: number): void;
}

/** A row to render, or the place of one that is still loading. */
export interface Place<Row> {
  readonly index: number;
  readonly key: string;
  readonly row: Row | undefined;
}

/**
 * Returns the places from `first` to before `last`, each key once: a moved row may be on two pages, and React needs
 * unique keys.
 */
export function getPlaces<Row>(
  rows: RowList<Row>,
  first: number,
  last: number,
  rowKey: (row: Row) => string,
): readonly Place<Row>[] {
  const seen = new Set<string>();
  return Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
    const index = first + offset;
    const row = rows.at(index);
    const key = row === undefined ? undefined : rowKey(row);
    if (row === undefined || key === undefined || seen.has(key)) return { index, key: `#${index}`, row: undefined };
    seen.add(key);
    return { index, key, row };
  });
}
