import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { BudgetView, ScopeKind } from "../../gateway/contract/budgets.ts";
import { useGateway } from "./gateway.tsx";
import { queryNames } from "./query-names.ts";

/** Days and months end without an event. */
const EVERY_MS = 30_000;

/** Budgets of clients and projects, in the order in which they were made. */
export function useBudgets(): UseQueryResult<BudgetView[]> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.budgets],
    queryFn: async () => (await client.call("listBudgets")).data,
    refetchInterval: EVERY_MS,
  });
}

/** The clients or projects with spend this month, most expensive first. */
export function useSpenders(kind: ScopeKind): readonly string[] {
  const { client } = useGateway();
  const { data } = useQuery({
    queryKey: [queryNames.spenders, kind],
    queryFn: async () => (await client.call("usage", { by: kind })).data,
  });
  return data?.map(({ group }) => group).filter((name) => name !== "") ?? NONE;
}

const NONE: readonly string[] = [];
