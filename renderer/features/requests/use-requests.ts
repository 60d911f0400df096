import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { RequestFilter } from "../../../gateway/contract/requests.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useRecentRequests } from "../../api/queries.ts";
import { useFixedFilter } from "../../lib/fixed-filter.ts";
import { filterOf, filters } from "./request-filter.ts";
import { RequestList } from "./request-list.ts";

/** Scrolled less than this, new rows move the list; further down they wait. */
const TOP_PX = 160;

const isAtTop = (): boolean => (document.querySelector("main")?.scrollTop ?? 0) < TOP_PX;

/** The filter of an address, as it was when it was asked for. */
export const useRequestFilter = (params: URLSearchParams): Partial<RequestFilter> =>
  useFixedFilter(filters.partOf(params), (now) => filterOf(params, now));

/** The requests that a filter lets through, live on top, older ones as one scrolls. @param filter stable */
export function useRequestList(filter: Partial<RequestFilter>): RequestList {
  const { client } = useGateway();
  const list = useMemo(
    () =>
      new RequestList({
        fetchPage: (before, limit) =>
          client.call("listRequests", { ...filter, limit, ...(before !== null && { before }) }),
      }),
    [client, filter],
  );
  useSyncExternalStore(list.subscribe, list.version);
  useEffect(() => void list.reload(), [list]);
  const { data } = useRecentRequests(filter);
  useEffect(() => {
    if (data !== undefined) list.takeHead(data.data, isAtTop);
  }, [list, data]);
  useEffect(() => {
    const main = document.querySelector("main");
    const onScroll = (): void => {
      if (list.held > 0 && isAtTop()) void list.reload();
    };
    main?.addEventListener("scroll", onScroll, { passive: true });
    return () => main?.removeEventListener("scroll", onScroll);
  }, [list]);
  return list;
}
