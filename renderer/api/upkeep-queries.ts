import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { AddressView } from "../../gateway/contract/address.ts";
import type { Settings } from "../../gateway/contract/control.ts";
import type { BackupsView, DataFolderView } from "../../gateway/contract/upkeep.ts";
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

/** Measured when the page opens; a large library takes seconds, so it is not asked for at intervals. */
export function useDataFolder(): UseQueryResult<DataFolderView> {
  const { client } = useGateway();
  return useQuery({ queryKey: [queryNames.dataFolder], queryFn: () => client.call("dataFolder") });
}
