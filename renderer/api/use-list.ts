import { replaceEqualDeep, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { ListPage, PageStart } from "../lib/list-chunks.ts";
import { PagedList } from "../lib/paged-list.ts";

/** Below this scroll position, new rows move the list; further down they wait. */
const TOP_PX = 160;
/** Pause before a distant place is fetched. */
const PAUSE_MS = 60;
/** Milliseconds to keep first pages of unused filters, as typing a word creates one per letter. */
const KEPT_MS = 30_000;
/** Interval of refetches while the index is being rebuilt, which sends no events. */
const REBUILDING_EVERY_MS = 2_000;

interface Identified {
  readonly id: string;
}

/** Facts of a first page in addition to its rows. */
interface HeadPage<Row> extends ListPage<Row> {
  readonly rebuilding?: number | null;
}

export interface ListOptions<Row, Filter, Page> {
  /** First part of the query key; see query-names.ts. */
  readonly name: string;
  /** Keep it the same object while its content is equal. */
  readonly filter: Filter;
  /** Keep it stable. */
  readonly fetchPage: (filter: Filter, start: PageStart, limit: number, signal: AbortSignal) => Promise<Page>;
  readonly pageRows: number;
  /** Rows of the first page, if it is shared with other views that fetch fewer. */
  readonly headRows?: number;
  /** Nothing moves: newer rows wait. */
  readonly isPaused?: boolean;
  /** `false` fetches nothing. */
  readonly isEnabled?: boolean;
  /** Milliseconds to keep an unused first page. */
  readonly cacheMs?: number;
  /** See `PagedListOptions`. */
  readonly isReordered?: boolean;
  readonly renew?: (before: Row | undefined, after: Row) => Row;
  readonly isOutdated?: (last: Row, at: number) => boolean;
}

export interface ListView<Row extends Identified, Filter, Page extends HeadPage<Row>> {
  readonly list: PagedList<Row, Page>;
  /** The filter of the rows that are shown: the requested one, once its first page has arrived. */
  readonly shown: Filter;
  /** Why there are no rows; null without an error. */
  readonly error: unknown;
  retry(): void;
}

const isAtTop = (): boolean => (document.querySelector("main")?.scrollTop ?? 0) < TOP_PX;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
const keepUnchanged = <Row>(before: Row | undefined, after: Row): Row => replaceEqualDeep(before, after);

/**
 * A list that the gateway filters and sorts. The first page follows the gateway's events through the query cache; other
 * pages are fetched when visible. Earlier rows stay until the first page of another filter arrives, and a new list
 * starts at its top.
 */
export function useList<Row extends Identified, Filter, Page extends HeadPage<Row>>(
  options: ListOptions<Row, Filter, Page>,
): ListView<Row, Filter, Page> {
  const { name, filter, fetchPage, pageRows, headRows = pageRows, isPaused = false, isEnabled = true } = options;
  const { isReordered = false, renew = keepUnchanged, isOutdated } = options;
  const list = useMemo(
    () =>
      new PagedList<Row, Page>({
        fetchPage: (start, limit, signal) => fetchPage(filter, start, limit, signal),
        pageRows,
        isReordered,
        renew,
        pause,
        now: Date.now,
        ...(isOutdated !== undefined && { isOutdated }),
      }),
    [fetchPage, filter, pageRows, isReordered, renew, isOutdated],
  );
  useSyncExternalStore(list.subscribe, list.version);
  const { data, error, refetch } = useQuery<Page>({
    queryKey: [name, filter],
    queryFn: ({ signal }) => fetchPage(filter, { before: null, offset: 0 }, headRows, signal),
    structuralSharing: (before, after) => keepRows(before as Page | undefined, after as Page, renew),
    gcTime: options.cacheMs ?? KEPT_MS,
    enabled: isEnabled,
    refetchInterval: ({ state }) => (typeof state.data?.rebuilding === "number" ? REBUILDING_EVERY_MS : false),
  });

  const wasRebuilding = useRef(false);
  useEffect(() => {
    if (data === undefined || isPaused || !isEnabled) return;
    // Rows of an incomplete index appear anywhere.
    const isRebuilding = typeof data.rebuilding === "number";
    if ((isRebuilding || wasRebuilding.current) && isAtTop()) list.doubt();
    wasRebuilding.current = isRebuilding;
    list.takeHead(data, isAtTop());
  }, [list, data, isPaused, isEnabled]);
  useEffect(() => () => list.stop(), [list]);
  useEffect(() => {
    const main = document.querySelector("main");
    const onScroll = (): void => {
      if (list.newer > 0 && !isPaused && isAtTop()) list.takePending();
    };
    main?.addEventListener("scroll", onScroll, { passive: true });
    return () => main?.removeEventListener("scroll", onScroll);
  }, [list, isPaused]);

  const failed = data === undefined ? error : null;
  const [shown, show] = useState({ list, filter });
  const isNext = shown.list !== list && (list.ready || failed !== null);
  if (isNext) show({ list, filter });
  const current = isNext ? { list, filter } : shown;
  useSyncExternalStore(current.list.subscribe, current.list.version);
  useTopOnChange(current.list);
  return {
    list: current.list,
    shown: current.filter,
    error: failed ?? current.list.error,
    retry: () => {
      if (failed === null) current.list.retry();
      else void refetch();
    },
  };
}

/**
 * Returns a page whose unchanged rows keep the identity of the previous page's, also after it was left and reopened.
 */
function keepRows<Row extends Identified, Page extends HeadPage<Row>>(
  before: Page | undefined,
  after: Page,
  renew: (before: Row | undefined, after: Row) => Row,
): Page {
  const known = new Map(before?.data.map((row) => [row.id, row]));
  return { ...after, data: after.data.map((row) => renew(known.get(row.id), row)) };
}

/** Scrolls the page to its top when another list is shown. */
export function useTopOnChange(shown: unknown): void {
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    document.querySelector("main")?.scrollTo({ top: 0, behavior: "instant" });
  }, [shown]);
}
