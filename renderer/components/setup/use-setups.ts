import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import type { ControlOutput } from "../../../gateway/contract/control.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";

/** Fetches the changes that undoing a set-up would make now. Never cached: each time it is fetched again. */
export function useSetupUndoPlan(id: string): UseQueryResult<ControlOutput<"planSetupUndo">> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.setupUndo, id],
    queryFn: () => client.call("planSetupUndo", {}, id),
    gcTime: 0,
    staleTime: 0,
  });
}

/** Asks for everything again: a set-up moves providers, keys, models, routes and settings. */
export function useRenewSetup(): () => Promise<void> {
  const cache = useQueryClient();
  return () => cache.invalidateQueries();
}
