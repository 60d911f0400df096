import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { ControlInput } from "../../gateway/contract/control.ts";
import type { HistoryImport, HistoryView, WhatIf } from "../../gateway/contract/history.ts";
import { useGateway } from "./gateway.tsx";
import { queryNames } from "./query-names.ts";

type WhatIfQuery = ControlInput<"whatIf">;

const READING_MS = 500;

/** Returns the imported history, and the progress of a running import. @param watched whether one is expected */
export function useHistory(watched = false): UseQueryResult<HistoryView> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.history],
    queryFn: () => client.call("history"),
    refetchInterval: ({ state }) => (watched || (state.data?.running ?? null) !== null ? READING_MS : false),
  });
}

/** Previews an import of a folder's logs; empty: the usual folders. It reads the logs, once. */
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

/** Estimates the cost of a time with other models. @param query null sends no request */
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
