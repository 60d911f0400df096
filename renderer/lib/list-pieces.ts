/** A piece of a long list, rows that stand one after the other: here, or only the places that they have in it. */
export interface ListPiece<Row> {
  readonly size: number;
  /** Null: not here, and to be fetched when someone looks. */
  readonly items: readonly Row[] | null;
}

/** The rows that pieces stand for, here or not. */
export function measureSize(pieces: readonly ListPiece<unknown>[]): number {
  return pieces.reduce((sum, { size }) => sum + size, 0);
}

/** The row of this number; undefined where it is not here, and beyond the end. */
export function getItem<Row>(pieces: readonly ListPiece<Row>[], index: number): Row | undefined {
  let start = 0;
  for (const { size, items } of pieces) {
    if (index < start + size) return items?.[index - start];
    start += size;
  }
  return undefined;
}

/** The place of the first row that is here and matches; -1 for none. */
export function getPlace<Row>(pieces: readonly ListPiece<Row>[], match: (row: Row) => boolean): number {
  let start = 0;
  for (const { size, items } of pieces) {
    const found = items?.findIndex(match) ?? -1;
    if (found !== -1) return start + found;
    start += size;
  }
  return -1;
}
