import type { MediaPage, MediaView } from "../../../gateway/contract/media.ts";
import { measureSize, type ListPiece } from "../../lib/list-pieces.ts";

/** Results that are kept; those farthest from what is looked at are forgotten first. */
const MOST_LOADED = 2_000;

/** Some results in a row: in memory, or only the places that they have in the list. */
export interface Chunk extends ListPiece<MediaView> {
  /** Cursor of the next chunk; null if unknown, and at the end of the list. */
  readonly after: string | null;
  /** When it was fetched, Unix milliseconds. */
  readonly at: number;
}

/** The whole list, without a gap and without an overlap. */
export type Chunks = readonly Chunk[];

/** Places in the list; `last` is exclusive. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** So many results after a cursor; `before` null: from the newest one on. */
export interface Address {
  readonly before: string | null;
  readonly offset: number;
}

/** Places of results of which nothing is in memory. */
export const unknown = (size: number): Chunk => ({ size, items: null, after: null, at: 0 });

/** Returns the chunks that hold some of the wanted places, with their spans. */
export function wantedChunks(chunks: Chunks, wanted: readonly Span[]): (Span & { readonly chunk: Chunk })[] {
  return getSpans(chunks).filter((span) => distance(span, wanted) < 0);
}

/** How to ask for the results from a place on: counted from the nearest cursor before it. */
export function getAddress(chunks: Chunks, place: number): Address {
  const known = getSpans(chunks).findLast(({ chunk, last }) => last <= place && chunk.after !== null);
  return { before: known?.chunk.after ?? null, offset: place - (known?.last ?? 0) };
}

/**
 * The chunks with the response to a question for the places of a span. Where the gateway says that the list ends there,
 * it ends; where it says that it goes on, it does. Where the response ends elsewhere than what was there before, or
 * brings what is in memory further down, someone changed the list: what follows is forgotten.
 */
export function withPage(chunks: Chunks, { first, last }: Span, page: MediaPage, now: number): Chunks {
  const { data } = page;
  // A page without results cannot be followed by one that has some.
  const after = data.length === 0 ? null : page.cursor;
  return joined([
    ...part(chunks, 0, first),
    { size: data.length, items: data, after, at: now },
    ...(after === null ? [] : restAfter(chunks, last, { data, after })),
  ]);
}

function restAfter(chunks: Chunks, last: number, page: { data: readonly MediaView[]; after: string }): Chunks {
  const rest = part(chunks, last, measureSize(chunks));
  if (rest.length === 0) return [unknown(1)];
  const ended = getSpans(chunks).find((span) => span.last === last)?.chunk.after ?? page.after;
  const fresh = new Set(page.data.map(({ id }) => id));
  const changed = ended !== page.after || rest.some(({ items }) => items?.some(({ id }) => fresh.has(id)) === true);
  return changed ? [unknown(measureSize(rest))] : rest;
}

/** Forgets results until there are few enough: never the first chunk, nor what is wanted. */
export function withoutFar(chunks: Chunks, wanted: readonly Span[]): Chunks {
  let loaded = chunks.reduce((sum, { items }) => sum + (items?.length ?? 0), 0);
  if (loaded <= MOST_LOADED) return chunks;
  const forgotten = new Set<Chunk>();
  const spare = getSpans(chunks).filter((span) => span.first > 0 && distance(span, wanted) >= 0);
  for (const { chunk } of spare.toSorted((a, b) => distance(b, wanted) - distance(a, wanted))) {
    if (loaded <= MOST_LOADED) break;
    if (chunk.items === null) continue;
    loaded -= chunk.size;
    forgotten.add(chunk);
  }
  return joined(chunks.map((chunk) => (forgotten.has(chunk) ? { ...chunk, items: null } : chunk)));
}

/**
 * The chunks of a list that has another length now, no one knows from where on: what is not wanted is forgotten, but
 * for the first chunk. Null where its end is wanted and there.
 */
export function resized(chunks: Chunks, total: number, wanted: readonly Span[]): Chunks | null {
  const kept = getSpans(chunks).map((span) =>
    span.first === 0 || distance(span, wanted) < 0 ? span.chunk : unknown(span.chunk.size),
  );
  const end = kept.at(-1);
  const size = (end?.size ?? 0) + total - measureSize(chunks);
  return end?.items === null && size > 0 ? joined([...kept.slice(0, -1), unknown(size)]) : null;
}

/** The chunks with each result in memory put through `change`; those without a change stay the same objects. */
export function changeEach(chunks: Chunks, change: (view: MediaView) => MediaView): Chunks {
  return chunks.map((chunk) => {
    const items = chunk.items?.map(change);
    const same = items === undefined || items.every((view, index) => view === chunk.items?.[index]);
    return same ? chunk : { ...chunk, items };
  });
}

/** Returns the chunks of the places from `first` up to, and without, `last`. */
function part(chunks: Chunks, first: number, last: number): Chunk[] {
  return getSpans(chunks).flatMap((span) => {
    const [from, to] = [Math.max(first, span.first), Math.min(last, span.last)];
    const { chunk } = span;
    if (from >= to) return [];
    if (from === span.first && to === span.last) return [chunk];
    const items = chunk.items?.slice(from - span.first, to - span.first) ?? null;
    return [{ ...chunk, size: to - from, items, after: to === span.last ? chunk.after : null }];
  });
}

/** Merges consecutive places that are not in memory into one chunk. */
function joined(chunks: Chunks): Chunks {
  const result: Chunk[] = [];
  for (const chunk of chunks) {
    const before = result.at(-1);
    if (before === undefined || before.items !== null || chunk.items !== null) result.push(chunk);
    else result[result.length - 1] = { ...chunk, size: before.size + chunk.size };
  }
  return result;
}

function getSpans(chunks: Chunks): (Span & { readonly chunk: Chunk })[] {
  let start = 0;
  return chunks.map((chunk) => {
    const first = start;
    start += chunk.size;
    return { chunk, first, last: start };
  });
}

/** Results between a span and the nearest of others; negative if they overlap. */
function distance(span: Span, others: readonly Span[]): number {
  const filled = others.filter(({ first, last }) => first < last);
  return Math.min(...filled.map(({ first, last }) => Math.max(first - span.last, span.first - last)));
}
