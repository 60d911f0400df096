import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { ControlInput } from "../../gateway/contract/control.ts";
import type { HistoryImport, HistoryUsage, HistoryView, WhatIf } from "../../gateway/contract/history.ts";
import { useGateway } from "./gateway.tsx";
import { queryNames } from "./query-names.ts";

export type HistoryQuery = ControlInput<"historyUsage">;
export type WhatIfQuery = ControlInput<"whatIf">;

const READING_MS = 500;

/** What is imported, and how far a reading is that runs. @param watched whether one is expected */
export function useHistory(watched = false): UseQueryResult<HistoryView> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.history],
    queryFn: () => client.call("history"),
    refetchInterval: ({ state }) => (watched || (state.data?.running ?? null) !== null ? READING_MS : false),
  });
}

/** What an import of a folder's logs would bring; empty: of the usual ones. They are read for it, and once. */
export function useHistoryPreview(folder: string): UseQueryResult<HistoryImport> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.historyPreview, folder],
    queryFn: () => client.call("previewHistory", folder === "" ? {} : { folders: [folder] }),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Sums of what was imported. While another time is fetched the last one stays in sight. */
export function useHistoryUsage(query: HistoryQuery): UseQueryResult<HistoryUsage> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.historyUsage, query],
    queryFn: () => client.call("historyUsage", query),
    placeholderData: keepPreviousData,
  });
}

/** What a time would have cost. @param query null asks nothing */
export function useWhatIf(query: WhatIfQuery | null): UseQueryResult<WhatIf> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.whatIf, query],
    queryFn: () => (query === null ? Promise.reject(new TypeError("no model")) : client.call("whatIf", query)),
    enabled: query !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
