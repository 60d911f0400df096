import { useMutation, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { RecordingsView, RequestDetail, RequestFilter, Resent } from "../../../gateway/contract/requests.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useRecentRequests } from "../../api/queries.ts";
import { queryNames } from "../../api/query-names.ts";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useHeld } from "../../lib/held.ts";
import { filterOf, listPart } from "./request-filter.ts";
import { RequestList } from "./request-list.ts";

/** Scrolled less than this, new rows move the list; further down they wait. */
const TOP_PX = 160;

const isAtTop = (): boolean => (document.querySelector("main")?.scrollTop ?? 0) < TOP_PX;

/** The filter of an address, as it was when it was asked for. */
export const useRequestFilter = (params: URLSearchParams): Partial<RequestFilter> =>
  useHeld(listPart(params), (now) => filterOf(params, now));

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
    if (data !== undefined) list.takeHead(data.data, isAtTop());
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

export function useRequest(id: string): UseQueryResult<RequestDetail> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.request, id],
    queryFn: () => client.call("getRequest", {}, id),
    // Bodies may hold anything: they stay in memory only as long as they are looked at.
    gcTime: 0,
  });
}

export function useRecordings(): UseQueryResult<RecordingsView> {
  const { client } = useGateway();
  return useQuery({ queryKey: [queryNames.recordings], queryFn: () => client.call("recordings") });
}

/** Switches recording on and off, and deletes what was recorded. */
export function useRecordingActions() {
  const { client } = useGateway();
  const cache = useQueryClient();
  const notify = useNotify();
  const renew = (): void => {
    for (const name of [queryNames.recordings, queryNames.request]) void cache.invalidateQueries({ queryKey: [name] });
  };
  const onError = (error: Error): void => notify.failed(error);
  const set = useMutation({
    mutationFn: (record_bodies: boolean) => client.call("updateSettings", { record_bodies }),
    onSuccess: renew,
    onError,
  });
  const clear = useMutation({ mutationFn: () => client.call("deleteRecordings"), onSuccess: renew, onError });
  return { set, clear };
}

/** Sends a request again, to the same model or another; then its answer is there although nothing may be recorded. */
export function useResend(id: string) {
  const { client } = useGateway();
  const notify = useNotify();
  return useMutation({
    mutationFn: (model: string | null): Promise<Resent> =>
      client.call("resendRequest", model === null ? {} : { model }, id),
    onError: (error) => notify.failed(error),
  });
}
