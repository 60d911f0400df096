import { useMemo } from "react";
import { useKeys } from "./queries.ts";

/** Key names by id; a revoked key keeps its id. Stable until the names change. */
export function useKeyNames(): (id: string) => string {
  const { data: keys } = useKeys();
  const names = JSON.stringify((keys ?? []).map(({ id, name }) => [id, name]));
  return useMemo(() => {
    const byId = new Map(JSON.parse(names) as [string, string][]);
    return (id) => byId.get(id) ?? id;
  }, [names]);
}
