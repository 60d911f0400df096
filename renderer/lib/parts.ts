/** Rows that stand one after the other in a long list: here, or only the places that they have in it. */
export interface Part<Row> {
  readonly size: number;
  /** Null: not here, and to be fetched when somebody looks. */
  readonly items: readonly Row[] | null;
}

/** The rows that parts stand for, here or not. */
export function sizeOf(parts: readonly Part<unknown>[]): number {
  return parts.reduce((sum, { size }) => sum + size, 0);
}

/** The row of this number; undefined where it is not here, and beyond the end. */
export function itemAt<Row>(parts: readonly Part<Row>[], index: number): Row | undefined {
  let start = 0;
  for (const { size, items } of parts) {
    if (index < start + size) return items?.[index - start];
    start += size;
  }
  return undefined;
}

/** The place of the first row that is here and matches; -1 for none. */
export function placeOf<Row>(parts: readonly Part<Row>[], match: (row: Row) => boolean): number {
  let start = 0;
  for (const { size, items } of parts) {
    const found = items?.findIndex(match) ?? -1;
    if (found !== -1) return start + found;
    start += size;
  }
  return -1;
}
