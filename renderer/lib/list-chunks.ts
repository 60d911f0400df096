/** Max loaded rows; those farthest from the visible ones are dropped first. */
const MOST_LOADED = 2_000;

/** Adjacent rows of a long list: loaded, or only their places. */
export interface Chunk<Row> {
  readonly size: number;
  /** Null while the rows are not in memory. */
  readonly items: readonly Row[] | null;
  /** Cursor of the next chunk; null if unknown, and at the end of the list. */
  readonly after: string | null;
  /** Unix milliseconds of the fetch; 0 if it has to be fetched or may have changed. */
  readonly at: number;
}

/** A whole list, without gap or overlap. */
export type Chunks<Row> = readonly Chunk<Row>[];

/** Places in a list; `last` is exclusive. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** The start of a page: `offset` rows after the cursor `before`, or after the start of the list if that is null. */
export interface PageStart {
  readonly before: string | null;
  readonly offset: number;
}

/** A page of a list as the gateway sends it. */
export interface ListPage<Row> {
  readonly data: readonly Row[];
  /** Null at the end of the list. */
  readonly cursor: string | null;
  /**
   * Number of rows of the whole list, if pages can be fetched at any place; without it pages are fetched sequentially.
   */
  readonly total?: number;
}

type ChunkSpan<Row> = Span & { readonly chunk: Chunk<Row> };

/** Returns a chunk of places whose rows were never fetched. */
export const createUnknown = (size: number): Chunk<never> => ({ size, items: null, after: null, at: 0 });

/** Returns the number of rows, in memory or not. */
export const measureSize = (chunks: Chunks<unknown>): number => chunks.reduce((sum, { size }) => sum + size, 0);

/** Returns the row at a place; undefined if it is not in memory or does not exist. */
export function getItem<Row>(chunks: Chunks<Row>, index: number): Row | undefined {
  let start = 0;
  for (const { size, items } of chunks) {
    if (index < start + size) return items?.[index - start];
    start += size;
  }
  return undefined;
}

/** Returns the place of the first loaded row that matches; -1 if there is no such row. */
export function getPlace<Row>(chunks: Chunks<Row>, match: (row: Row) => boolean): number {
  let start = 0;
  for (const { size, items } of chunks) {
    const found = items?.findIndex(match) ?? -1;
    if (found !== -1) return start + found;
    start += size;
  }
  return -1;
}

/** Returns the chunks that overlap the wanted places, with their spans. */
export function getOverlapping<Row>(chunks: Chunks<Row>, spans: readonly Span[]): ChunkSpan<Row>[] {
  return getSpans(chunks).filter((span) => span.first < span.last && measureDistance(span, spans) < 0);
}

/** Returns the start of a page at a place, relative to the nearest earlier cursor. */
export function getStart(chunks: Chunks<unknown>, place: number): PageStart {
  const known = getSpans(chunks).findLast(({ chunk, last }) => last <= place && chunk.after !== null);
  return { before: known?.chunk.after ?? null, offset: place - (known?.last ?? 0) };
}

/**
 * Inserts the response for a range. If its next cursor differs from before or it repeats later rows, the list has
 * changed and everything after the page is refetched.
 */
export function insertPage<Row extends { readonly id: string }>(
  chunks: Chunks<Row>,
  { first, last }: Span,
  page: ListPage<Row>,
  now: number,
): Chunks<Row> {
  const { data, cursor } = page;
  const chunk = { size: data.length, items: data, after: cursor, at: now };
  const before = slice(chunks, 0, first);
  if (cursor === null) return merge(data.length === 0 && first > 0 ? before : [...before, chunk]);
  const rest = slice(chunks, last, measureSize(chunks));
  if (rest.length === 0) return merge([...before, chunk, createUnknown(1)]);
  const end = getSpans(chunks).find((span) => span.last === last)?.chunk.after ?? cursor;
  const ids = new Set(data.map(({ id }) => id));
  const changed = end !== cursor || rest.some(({ items }) => items?.some(({ id }) => ids.has(id)) === true);
  return merge([...before, chunk, ...(changed ? markStale(rest) : rest)]);
}

/** Unloads rows until few enough remain; keeps the first chunk and the needed places. */
export function dropFar<Row>(chunks: Chunks<Row>, spans: readonly Span[]): Chunks<Row> {
  let loaded = chunks.reduce((sum, { items }) => sum + (items?.length ?? 0), 0);
  if (loaded <= MOST_LOADED) return chunks;
  const dropped = new Set<Chunk<Row>>();
  const spare = getSpans(chunks).filter((span) => span.first > 0 && measureDistance(span, spans) >= 0);
  for (const { chunk } of spare.toSorted((a, b) => measureDistance(b, spans) - measureDistance(a, spans))) {
    if (loaded <= MOST_LOADED) break;
    loaded -= chunk.items?.length ?? 0;
    dropped.add(chunk);
  }
  return merge(
    chunks.map((chunk) => (dropped.has(chunk) ? { ...chunk, items: null, at: Math.max(1, chunk.at) } : chunk)),
  );
}

/**
 * Changes the length of a list at an unknown place: only the first chunk and the needed places stay loaded.
 * @returns null if the end of the list is needed and loaded
 */
export function resize<Row>(chunks: Chunks<Row>, total: number, spans: readonly Span[]): Chunks<Row> | null {
  const resized = getSpans(chunks).map((span) =>
    span.first === 0 || measureDistance(span, spans) < 0 ? span.chunk : createUnknown(span.chunk.size),
  );
  const end = resized.at(-1);
  const size = (end?.size ?? 0) + total - measureSize(chunks);
  return end?.items === null && size > 0 ? merge([...resized.slice(0, -1), createUnknown(size)]) : null;
}

/** Replaces the first rows by a page and marks all others for refetching, because their order may have changed. */
export function replaceHead<Row>(chunks: Chunks<Row>, page: ListPage<Row>, now: number): Chunks<Row> {
  const { data, cursor } = page;
  const head = { size: data.length, items: data, after: cursor, at: now };
  if (cursor === null) return [head];
  const total = Math.max(page.total ?? measureSize(chunks), data.length + 1);
  const rest = markStale(slice(chunks, data.length, total));
  const missing = total - data.length - measureSize(rest);
  return merge([head, ...rest, ...(missing > 0 ? [createUnknown(missing)] : [])]);
}

const markStale = <Row>(chunks: Chunks<Row>): Chunk<Row>[] => chunks.map((chunk) => ({ ...chunk, at: 0 }));

/** Applies a change to each row in memory; chunks without a change stay the same objects. */
export function changeEach<Row>(chunks: Chunks<Row>, change: (row: Row) => Row): Chunks<Row> {
  return chunks.map((chunk) => {
    const items = chunk.items?.map(change);
    const same = items === undefined || items.every((row, index) => row === chunk.items?.[index]);
    return same ? chunk : { ...chunk, items };
  });
}

/** Returns the chunks that cover the places from `first` to `last`, excluding `last`. */
function slice<Row>(chunks: Chunks<Row>, first: number, last: number): Chunk<Row>[] {
  return getSpans(chunks).flatMap((span) => {
    const [from, to] = [Math.max(first, span.first), Math.min(last, span.last)];
    const { chunk } = span;
    if (from === span.first && to === span.last) return [chunk];
    if (from >= to) return [];
    const items = chunk.items?.slice(from - span.first, to - span.first) ?? null;
    return [{ ...chunk, size: to - from, items, after: to === span.last ? chunk.after : null }];
  });
}

/** Merges adjacent unloaded chunks; a previously fetched one keeps its cursors, which some lists need. */
function merge<Row>(chunks: Chunks<Row>): Chunks<Row> {
  const result: Chunk<Row>[] = [];
  for (const chunk of chunks) {
    const before = result.at(-1);
    if (before?.items === null && chunk.items === null && before.at === 0 && before.after === null) {
      result[result.length - 1] = { ...chunk, size: before.size + chunk.size, at: 0 };
    } else result.push(chunk);
  }
  return result;
}

function getSpans<Row>(chunks: Chunks<Row>): ChunkSpan<Row>[] {
  let start = 0;
  return chunks.map((chunk) => {
    const first = start;
    start += chunk.size;
    return { chunk, first, last: start };
  });
}

/** Returns the rows between a span and the nearest of others; negative if they overlap. */
function measureDistance(span: Span, others: readonly Span[]): number {
  const filled = others.filter(({ first, last }) => first < last);
  return Math.min(...filled.map(({ first, last }) => Math.max(first - span.last, span.first - last)));
}
