import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { ClientsView } from "../../gateway/contract/clients.ts";
import type { ConnectionView } from "../../gateway/contract/connection.ts";
import type { Preset, State } from "../../gateway/contract/control.ts";
import type { KeyView } from "../../gateway/contract/key.ts";
import type { ModelView } from "../../gateway/contract/model-view.ts";
import { useGateway } from "./gateway.tsx";
import { RECENT_ROWS, type RequestPage } from "./live.ts";
import { queryNames, type RequestFilter } from "./query-names.ts";

/** Days and months end without an event. */
const STATE_EVERY_MS = 30_000;
/** Refetch interval in ms, because a provider key's cooldown ends without an event. */
const HEALTH_EVERY_MS = 15_000;
/** Files of clients change and clients call without an event. */
const CLIENTS_EVERY_MS = 20_000;

export function useGatewayState(): UseQueryResult<State> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.state],
    queryFn: () => client.call("state"),
    refetchInterval: STATE_EVERY_MS,
  });
}

export function useKeys(): UseQueryResult<KeyView[]> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.keys],
    queryFn: async () => (await client.call("listKeys")).data,
    refetchInterval: STATE_EVERY_MS,
  });
}

export function useConnections(): UseQueryResult<ConnectionView[]> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.connections],
    queryFn: async () => (await client.call("listConnections")).data,
    refetchInterval: HEALTH_EVERY_MS,
  });
}

export function usePresets(): UseQueryResult<Preset[]> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.presets],
    queryFn: async () => (await client.call("listPresets")).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** @param again refetches on mount even if cached; `isFetchedAfterMount` tells when it has arrived */
export function useModels({ anew: isRepeated = false } = {}): UseQueryResult<ModelView[]> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.models],
    queryFn: async () => (await client.call("listModels")).data,
    ...(isRepeated && { refetchOnMount: "always" as const }),
  });
}

/** The newest requests, updated by events. */
export function useRecentRequests(filter: RequestFilter): UseQueryResult<RequestPage> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.requests, filter],
    queryFn: ({ signal }) => client.call("listRequests", { limit: RECENT_ROWS, ...filter }, undefined, signal),
  });
}

export function useClients(): UseQueryResult<ClientsView> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.clients],
    queryFn: () => client.call("listClients"),
    refetchInterval: CLIENTS_EVERY_MS,
  });
}
