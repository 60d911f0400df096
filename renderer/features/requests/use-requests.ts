import { useCallback } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RequestFilter } from "../../../gateway/contract/list.ts";
import type { RequestPage } from "../../../gateway/contract/requests.ts";
import { useGateway } from "../../api/gateway.tsx";
import { RECENT_ROWS } from "../../api/live.ts";
import { queryNames } from "../../api/query-names.ts";
import { useList, type ListView } from "../../api/use-list.ts";
import { useFixedFilter } from "../../lib/fixed-filter.ts";
import type { PageStart } from "../../lib/list-chunks.ts";
import { getFilter, filters } from "./request-filter.ts";

const PAGE_ROWS = 200;

/** Returns the filter of an address, fixed at the time of the request. */
export const useRequestFilter = (params: URLSearchParams): Partial<RequestFilter> =>
  useFixedFilter(filters.getPart(params), (now) => getFilter(params, now));

export interface LiveOptions {
  /** `false` fetches nothing. */
  readonly isEnabled: boolean;
  /** Nothing moves: newer requests wait. */
  readonly isPaused: boolean;
}

/** The requests that a filter lets through, live on top, older ones as one scrolls. @param filter stable */
export function useRequestList(
  filter: Partial<RequestFilter>,
  options: LiveOptions,
): ListView<Receipt, Partial<RequestFilter>, RequestPage> {
  const { client } = useGateway();
  const fetchPage = useCallback(
    (of: Partial<RequestFilter>, { before }: PageStart, limit: number, signal: AbortSignal) =>
      client.call("listRequests", { ...of, limit, ...(before !== null && { before }) }, undefined, signal),
    [client],
  );
  return useList({
    name: queryNames.requests,
    filter,
    fetchPage,
    headRows: RECENT_ROWS,
    pageRows: PAGE_ROWS,
    ...options,
  });
}
