import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RequestFilter } from "../../../gateway/contract/list.ts";
import { useGateway } from "../../api/gateway.tsx";
import type { RequestSort } from "./request-sort.ts";

/** Max rows that the gateway sorts for one response. */
export const TOP_ROWS = 200;
/** Refetch interval in ms: sorted rows stay in place while they are read. */
const RENEW_EVERY_MS = 15_000;

export interface SortedLog {
  readonly rows: readonly Receipt[] | undefined;
  /** `false`: a text search did not cover older recordings. */
  readonly complete: boolean;
  readonly rebuilding: number | null;
  readonly error: unknown;
  readonly retry: () => void;
}

/**
 * Returns the first matching requests by a sort value.
 * @param sort null fetches nothing
 * @param paused whether refetching is paused
 */
export function useSortedLog(filter: Partial<RequestFilter>, sort: RequestSort | null, paused: boolean): SortedLog {
  const { client } = useGateway();
  const { data, error, refetch } = useQuery({
    queryKey: ["requestsTop", filter, sort],
    queryFn: () => client.call("listRequests", { ...filter, ...sort, limit: TOP_ROWS }),
    enabled: sort !== null,
    placeholderData: keepPreviousData,
    refetchInterval: paused ? false : RENEW_EVERY_MS,
  });
  return {
    rows: data?.data,
    complete: data?.complete ?? true,
    rebuilding: data?.rebuilding ?? null,
    error: data === undefined ? error : null,
    retry: () => void refetch(),
  };
}
