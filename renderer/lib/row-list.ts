/** Rows in their order, of which only a part may be here. An array is one; see api/paged-rows.ts for another. */
export interface RowList<Row> {
  readonly length: number;
  /** The row at this place; `undefined` where it is not here (yet). */
  at(index: number): Row | undefined;
  /** The place of the first row that is here and matches; -1 for none. */
  findIndex(match: (row: Row) => boolean): number;
  /** Called with the range of drawn rows: from `first` up to, and without, `last`. */
  want?(first: number, last: number): void;
}

/** A row to draw, or the place of one that is still being fetched. */
export interface Place<Row> {
  readonly index: number;
  readonly key: string;
  readonly row: Row | undefined;
}

/**
 * The places from `first` up to, and without, `last`. Each key once: between two responses of the gateway a row that
 * has moved may stand on two pages, and React must not see it twice.
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
