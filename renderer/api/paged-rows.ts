import { useQueries, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { createRest } from "../lib/rest.ts";
import type { RowList } from "../lib/row-list.ts";

/** Rows per fetch. */
export const PAGE_ROWS = 100;
/** Rows above and below the drawn ones that are fetched before they are drawn. */
const AHEAD_ROWS = 50;
/** Pages this far from what is drawn are forgotten: memory is bounded however far one scrolls. */
const KEPT_PAGES = 4;
/** A jump through the list fetches its destination, not all that it passes. */
const REST_MS = 60;
/** How long pages of a filter that is shown no more are kept, for the way back. */
const FILTER_KEPT_MS = 30_000;

/**
 * A page as it is cached, under `[name, filter, page]`. A row that a live event pushed in from a page that is not loaded is
 * `undefined` until the page is fetched again.
 */
export interface RowPage<Row> {
  readonly data: readonly (Row | undefined)[];
  readonly total: number;
}

export interface PagedRowsOptions<Filter extends object, Page> {
  /** First part of the query keys; see query-names.ts. */
  readonly name: string;
  /** Keep it the same object while it says the same. */
  readonly filter: Filter;
  readonly fetchPage: (filter: Filter, offset: number, limit: number) => Promise<Page>;
  /** Milliseconds until a page is fetched again even if no event reported a change; no refetch without it. */
  readonly again?: (page: Page) => number | false;
}

export interface PagedRows<Row, Filter, Page> {
  /** `undefined` until the first page is there. */
  readonly rows: RowList<Row> | undefined;
  /** The first page as it came last: what else it says. */
  readonly page: Page | undefined;
  /** The filter whose rows are shown: the one that was asked for, once its first page is there. */
  readonly shown: Filter;
  readonly error: Error | null;
  retry(): void;
}

/**
 * A list of any length that is sorted and filtered by the gateway: pages of rows are fetched as they are scrolled to,
 * and forgotten when they are far away. The first page is always kept, so that new rows have a place to arrive at.
 * Events change rows in the cached pages (see api/live.ts).
 */
export function usePagedRows<Row, Filter extends object, Page extends RowPage<Row>>(
  options: PagedRowsOptions<Filter, Page>,
): PagedRows<Row, Filter, Page> {
  const { name, filter, fetchPage, again } = options;
  const cache = useQueryClient();
  const queryOf = (of: Filter, page: number) => ({
    queryKey: [name, of, page],
    queryFn: () => fetchPage(of, page * PAGE_ROWS, PAGE_ROWS),
    gcTime: FILTER_KEPT_MS,
    refetchInterval: (query: { state: { data: Page | undefined } }) =>
      query.state.data === undefined ? false : (again?.(query.state.data) ?? false),
  });

  const lead = useQuery<Page>(queryOf(filter, 0));
  const [shown, setShown] = useState(filter);
  const [pages, setPages] = useState<readonly number[]>([0]);
  // Earlier rows stay in sight until the new search has a response: typing must not make the table flicker.
  if (shown !== filter && (lead.data !== undefined || lead.error !== null)) {
    setShown(filter);
    setPages([0]);
  }
  const results = useQueries({ queries: pages.map((page) => queryOf(shown, page)) });

  useEffect(() => {
    forgetFar(cache, [name, shown], pages);
    askAgain(cache, [name, shown], pages);
  });

  const [rest] = useState(() =>
    createRest<readonly number[]>(REST_MS, sameNumbers, (wanted) =>
      setPages((before) => (sameNumbers(before, wanted) ? before : wanted)),
    ),
  );
  useEffect(() => rest.stop, [rest]);
  const newest = results.reduce((a, b) => (b.dataUpdatedAt > a.dataUpdatedAt ? b : a), results[0] ?? lead);
  const total = newest.data?.total ?? 0;
  const want = useCallback(
    (first: number, last: number) => {
      const wanted = getPages(first, last, total);
      rest.pass(
        wanted,
        wanted.every((page) => cache.getQueryData([name, shown, page]) !== undefined),
      );
    },
    [cache, name, shown, total, rest],
  );

  const failed = results.find(({ error, data }) => error !== null && data === undefined);
  const error = shown === filter ? (failed?.error ?? null) : null;
  return {
    rows: newest.data === undefined ? undefined : listOf<Row>(total, pagesHere(cache, [name, shown], pages), want),
    page: newest.data,
    shown,
    error,
    retry: () => void cache.refetchQueries({ queryKey: [name, shown], type: "active" }),
  };
}

/** The pages that rows from `first` up to, and without, `last` stand on, and the first page. Ascending. */
export function getPages(first: number, last: number, total: number): readonly number[] {
  const end = Math.max(0, Math.floor((total - 1) / PAGE_ROWS));
  const from = Math.min(end, Math.max(0, Math.floor((first - AHEAD_ROWS) / PAGE_ROWS)));
  const to = Math.min(end, Math.max(from, Math.floor((last - 1 + AHEAD_ROWS) / PAGE_ROWS)));
  const pages = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return from === 0 ? pages : [0, ...pages];
}

/** A list of `total` rows, of which those on `pages` are here. */
export function listOf<Row>(
  total: number,
  pages: ReadonlyMap<number, RowPage<Row>>,
  want: (first: number, last: number) => void,
): RowList<Row> {
  return {
    length: total,
    at: (index) => pages.get(Math.floor(index / PAGE_ROWS))?.data[index % PAGE_ROWS],
    findIndex(match) {
      for (const [page, { data }] of pages) {
        const index = data.findIndex((row) => row !== undefined && match(row));
        if (index !== -1) return page * PAGE_ROWS + index;
      }
      return -1;
    },
    want,
  };
}

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index]);

/** Returns the cached ones of these pages, in their current state. */
function pagesHere<Row>(
  cache: QueryClient,
  list: readonly unknown[],
  pages: readonly number[],
): ReadonlyMap<number, RowPage<Row>> {
  return new Map(
    pages.flatMap((page): [number, RowPage<Row>][] => {
      const data = cache.getQueryData<RowPage<Row>>([...list, page]);
      return data === undefined ? [] : [[page, data]];
    }),
  );
}

/** How far a page is from the nearest of those that are drawn. */
const distanceTo = (pages: readonly number[], page: number): number =>
  Math.min(...pages.map((each) => Math.abs(each - page)));

/** Pages further than four from all that are drawn leave the cache. */
export function forgetFar(cache: QueryClient, list: readonly unknown[], pages: readonly number[]): void {
  cache.removeQueries({
    queryKey: list,
    predicate: ({ queryKey }) => distanceTo(pages, queryKey[2] as number) > KEPT_PAGES,
  });
}

/**
 * Pages that count differently were fetched at different moments, and rows may have moved from one to the other in
 * between: the older ones are asked for again, and so is a page that lacks a row.
 */
function askAgain(cache: QueryClient, list: readonly unknown[], pages: readonly number[]): void {
  const states = pages.flatMap((page) => {
    const queryKey = [...list, page];
    const state = cache.getQueryState<RowPage<unknown>>(queryKey);
    return state?.data === undefined ? [] : [{ queryKey, data: state.data, state }];
  });
  const newest = Math.max(...states.map(({ state }) => state.dataUpdatedAt));
  const total = states.find(({ state }) => state.dataUpdatedAt === newest)?.data.total;
  for (const { queryKey, data, state } of states) {
    const sound = data.total === total && !data.data.includes(undefined);
    if (!sound && state.fetchStatus === "idle" && state.error === null) void cache.invalidateQueries({ queryKey });
  }
}
