import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { AddressView } from "../../gateway/contract/address.ts";
import type { Settings } from "../../gateway/contract/settings.ts";
import type { PriceChanges, PriceListView } from "../../gateway/contract/price-list.ts";
import type { SearchView } from "../../gateway/contract/search.ts";
import type { TelemetryView } from "../../gateway/contract/telemetry.ts";
import type { BackupsView, DataFolderView, KeyProtectionView } from "../../gateway/contract/maintenance.ts";
import { useGateway } from "./gateway.tsx";
import { queryNames } from "./query-names.ts";

export function useSettings(): UseQueryResult<Settings> {
  const { client } = useGateway();
  return useQuery({ queryKey: [queryNames.settings], queryFn: () => client.call("getSettings") });
}

export function useAddress(): UseQueryResult<AddressView> {
  const { client } = useGateway();
  return useQuery({ queryKey: [queryNames.address], queryFn: () => client.call("address") });
}

export function useBackups(): UseQueryResult<BackupsView> {
  const { client } = useGateway();
  return useQuery({ queryKey: [queryNames.backups], queryFn: () => client.call("listBackups") });
}

/** How the provider keys are protected on the disk. */
export function useKeyProtection(): UseQueryResult<KeyProtectionView> {
  const { client } = useGateway();
  return useQuery({ queryKey: [queryNames.keyProtection], queryFn: () => client.call("keyProtection") });
}

export function usePriceList(): UseQueryResult<PriceListView> {
  const { client } = useGateway();
  return useQuery({ queryKey: [queryNames.priceList], queryFn: () => client.call("priceList") });
}

export function useSearchView(): UseQueryResult<SearchView> {
  const { client } = useGateway();
  return useQuery({ queryKey: [queryNames.search], queryFn: () => client.call("search") });
}

const TELEMETRY_EVERY_MS = 5_000;

/** Export status changes with each request, so it is polled while visible. */
export function useTelemetry(): UseQueryResult<TelemetryView> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.telemetry],
    queryFn: () => client.call("telemetry"),
    refetchInterval: TELEMETRY_EVERY_MS,
  });
}

/** Returns the changes by the offered price list. @param all also at hosts that no connection uses */
export function usePriceChanges(all: boolean): UseQueryResult<PriceChanges> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.priceList, "changes", all],
    queryFn: () => client.call("listPriceChanges", { all: all ? "true" : "false" }),
    placeholderData: keepPreviousData,
  });
}

/** Measured once when the page opens, because a large library takes seconds. */
export function useDataFolder(): UseQueryResult<DataFolderView> {
  const { client } = useGateway();
  return useQuery({ queryKey: [queryNames.dataFolder], queryFn: () => client.call("dataFolder") });
}
