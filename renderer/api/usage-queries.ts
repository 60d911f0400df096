import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { ControlInput } from "../../gateway/contract/control.ts";
import type { UsageSeries } from "../../gateway/contract/usage.ts";
import { useGateway } from "./gateway.tsx";
import { queryNames } from "./query-names.ts";

/** The requested time and grouping. */
export type UsageQuery = ControlInput<"usageSeries">;

/** Hours and days end without an event. */
const RENEW_EVERY_MS = 60_000;
/** An index that is being rebuilt grows without events. */
const REBUILDING_MS = 2_000;

/**
 * Returns usage over time; renewed as requests settle. While another time is fetched the last one stays in sight.
 * @param enabled whether it is fetched at all
 */
export function useUsageSeries(query: UsageQuery, enabled = true): UseQueryResult<UsageSeries> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.usage, query],
    queryFn: () => client.call("usageSeries", query),
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (typeof state.data?.rebuilding === "number" ? REBUILDING_MS : RENEW_EVERY_MS),
  });
}
