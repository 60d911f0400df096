import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RequestFilter } from "../../../gateway/contract/list.ts";
import { useGateway } from "../../api/gateway.tsx";
import type { RequestSort } from "./request-sort.ts";

/** Max rows that the gateway sorts for one response. */
export const TOP_ROWS = 200;
/** Rows that are sorted stand still while one reads them; they are renewed calmly. */
const RENEW_EVERY_MS = 15_000;

export interface SortedLog {
  readonly rows: readonly Receipt[] | undefined;
  /** `false`: words were looked for, and older recordings were not searched. */
  readonly complete: boolean;
  readonly rebuilding: number | null;
  readonly error: unknown;
  readonly retry: () => void;
}

/**
 * The first requests by a figure, of all that a filter lets through.
 * @param sort null asks nothing
 * @param paused they are not renewed
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
