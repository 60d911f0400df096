import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RequestFilter } from "../../../gateway/contract/list.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useFixedFilter } from "../../lib/fixed-filter.ts";
import { getFilter, filters } from "./request-filter.ts";
import { RequestList } from "./request-list.ts";

/** Scrolled less than this, new rows move the list; further down they wait. */
const TOP_PX = 160;

/** An index that is being rebuilt grows without events. */
const REBUILDING_EVERY_MS = 2_000;

const isAtTop = (): boolean => (document.querySelector("main")?.scrollTop ?? 0) < TOP_PX;

/** The filter of an address, as it was when it was asked for. */
export const useRequestFilter = (params: URLSearchParams): Partial<RequestFilter> =>
  useFixedFilter(filters.getPart(params), (now) => getFilter(params, now));

export interface LiveOptions {
  /** `false`: the log is not looked at, and nothing is fetched. */
  readonly wanted: boolean;
  /** Nothing moves: what comes waits. */
  readonly paused: boolean;
  /** The newest requests, as events bring them. */
  readonly newest: readonly Receipt[] | undefined;
}

/** The requests that a filter lets through, live on top, older ones as one scrolls. @param filter stable */
export function useRequestList(filter: Partial<RequestFilter>, { wanted, paused, newest }: LiveOptions): RequestList {
  const { client } = useGateway();
  const list = useMemo(
    () =>
      new RequestList({
        fetchPage: (before, limit, signal) =>
          client.call("listRequests", { ...filter, limit, ...(before !== null && { before }) }, undefined, signal),
      }),
    [client, filter],
  );
  useSyncExternalStore(list.subscribe, list.version);
  useEffect(() => {
    if (wanted) void list.reload();
    return () => list.stop();
  }, [list, wanted]);
  const { rebuilding } = list;
  useEffect(() => {
    if (rebuilding === null || !wanted) return undefined;
    const timer = setTimeout(() => isAtTop() && void list.reload(), REBUILDING_EVERY_MS);
    return () => clearTimeout(timer);
  });
  useEffect(() => {
    if (newest !== undefined && !paused) list.takeHead(newest, isAtTop);
  }, [list, newest, paused]);
  useEffect(() => {
    const main = document.querySelector("main");
    const onScroll = (): void => {
      if (list.held > 0 && !paused && isAtTop()) void list.reload();
    };
    main?.addEventListener("scroll", onScroll, { passive: true });
    return () => main?.removeEventListener("scroll", onScroll);
  }, [list, paused]);
  return list;
}
