import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import type { ClientPlan, ClientView, PlanClient } from "../../../gateway/contract/clients.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useBusy } from "../ui/use-busy.ts";

/** Fetches the changes that connecting would make, again after each change of the selection; `null` fetches nothing. */
export function useClientPlan(id: string, input: PlanClient | null): UseQueryResult<ClientPlan> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.clientPlan, id, input],
    queryFn: () => client.call("planClient", input ?? { parts: ["models"], models: {} }, id),
    enabled: input !== null,
    // A file may be changed at any time: nothing is shown from memory.
    gcTime: 0,
    staleTime: 0,
    placeholderData: (before) => before,
  });
}

export function useUndoPlan(id: string | null): UseQueryResult<ClientPlan> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.clientPlan, "undo", id],
    queryFn: () => client.call("planClientUndo", {}, id ?? ""),
    enabled: id !== null,
    gcTime: 0,
    staleTime: 0,
  });
}

/** Refetches everything that a change of a client affects. */
export function useRenewClients(): () => Promise<void> {
  const cache = useQueryClient();
  return async () => {
    await Promise.all(
      [queryNames.clients, queryNames.keys].map((name) => cache.invalidateQueries({ queryKey: [name] })),
    );
  };
}

/** Writes the models of now into the pickers of connected apps, one after the other. */
export function useRefresh(ids: readonly ClientView["id"][]): { readonly busy: boolean; refresh(): Promise<boolean> } {
  const { client } = useGateway();
  const renew = useRenewClients();
  const { busy, run } = useBusy();
  return {
    busy,
    refresh: () =>
      run(async () => {
        try {
          for (const id of ids) await client.call("refreshClient", {}, id);
        } finally {
          await renew();
        }
      }),
  };
}

/** Tests a client with real calls; the results are shown on its card. */
export function useVerify({ id }: Pick<ClientView, "id">): { readonly busy: boolean; verify(): Promise<void> } {
  const { client } = useGateway();
  const renew = useRenewClients();
  const { busy, run } = useBusy();
  return {
    busy,
    async verify() {
      await run(async () => {
        await client.call("checkClient", {}, id);
        await renew();
      });
    },
  };
}
