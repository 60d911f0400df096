import type { MediaView } from "../../../gateway/contract/media.ts";

/** Results that are kept; those farthest from what is looked at are forgotten first. */
const MOST_LOADED = 2_000;

/** Some results in a row, between two cursors. */
export interface Chunk {
  readonly before: string | null;
  readonly after: string | null;
  readonly size: number;
  /** Null: forgotten, and to be fetched again by `before` and `size`. */
  readonly items: readonly MediaView[] | null;
  /** When it was fetched, Unix milliseconds. */
  readonly at: number;
}

/** A row of chunks without a gap, from the newest result on. */
export type Chunks = readonly Chunk[];

/** Places in the list; `last` is exclusive. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Results that the chunks stand for, in memory or not. */
export function walked(chunks: Chunks): number {
  return chunks.reduce((sum, { size }) => sum + size, 0);
}

export function resultAt(chunks: Chunks, index: number): MediaView | undefined {
  let start = 0;
  for (const { size, items } of chunks) {
    if (index < start + size) return items?.[index - start];
    start += size;
  }
  return undefined;
}

/** The place of a result that is in memory; -1 for any other. */
export function placeOf(chunks: Chunks, wanted: string): number {
  let start = 0;
  for (const { size, items } of chunks) {
    const found = items?.findIndex(({ id }) => id === wanted) ?? -1;
    if (found !== -1) return start + found;
    start += size;
  }
  return -1;
}

/** The chunks that hold some of the wanted places. */
export function wantedChunks(chunks: Chunks, wanted: readonly Span[]): Chunk[] {
  return spansOf(chunks).flatMap((span) => (distance(span, wanted) < 0 ? [span.chunk] : []));
}

/** Forgets results until there are few enough: never the first chunk, nor what is wanted. */
export function withoutFar(chunks: Chunks, wanted: readonly Span[]): Chunks {
  let loaded = chunks.reduce((sum, { items }) => sum + (items?.length ?? 0), 0);
  if (loaded <= MOST_LOADED) return chunks;
  const forgotten = new Set<Chunk>();
  const spare = spansOf(chunks).filter((span) => span.first > 0 && distance(span, wanted) >= 0);
  for (const { chunk } of spare.toSorted((a, b) => distance(b, wanted) - distance(a, wanted))) {
    if (loaded <= MOST_LOADED) break;
    if (chunk.items === null) continue;
    loaded -= chunk.size;
    forgotten.add(chunk);
  }
  return chunks.map((chunk) => (forgotten.has(chunk) ? { ...chunk, items: null } : chunk));
}

/** The chunks with each result in memory put through `change`; those without a change stay the same objects. */
export function changeEach(chunks: Chunks, change: (view: MediaView) => MediaView): Chunks {
  return chunks.map((chunk) => {
    const items = chunk.items?.map(change);
    const same = items === undefined || items.every((view, index) => view === chunk.items?.[index]);
    return same ? chunk : { ...chunk, items };
  });
}

function spansOf(chunks: Chunks): (Span & { readonly chunk: Chunk })[] {
  let start = 0;
  return chunks.map((chunk) => {
    const first = start;
    start += chunk.size;
    return { chunk, first, last: start };
  });
}

/** Results between a span and the nearest of others; negative where they overlap. */
function distance(span: Span, others: readonly Span[]): number {
  const filled = others.filter(({ first, last }) => first < last);
  return Math.min(...filled.map(({ first, last }) => Math.max(first - span.last, span.first - last)));
}
