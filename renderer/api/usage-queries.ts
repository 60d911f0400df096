import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { ControlInput } from "../../gateway/contract/control.ts";
import type { UsageSeries } from "../../gateway/contract/usage.ts";
import { useGateway } from "./gateway.tsx";
import { queryNames } from "./query-names.ts";

/** Which time is looked at, and by what. */
export type UsageQuery = ControlInput<"usageSeries">;

/** Hours and days end without an event. */
const RENEW_EVERY_MS = 60_000;

/** What was used over time; renewed as requests settle. While another time is fetched the last one stays in sight. */
export function useUsageSeries(query: UsageQuery): UseQueryResult<UsageSeries> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.usage, query],
    queryFn: () => client.call("usageSeries", query),
    placeholderData: keepPreviousData,
    refetchInterval: RENEW_EVERY_MS,
  });
}
