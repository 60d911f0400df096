import { useMemo } from "react";
import { useConnections } from "./queries.ts";

/** Connection and provider that served a request, or would have: ids, empty if unknown. */
export interface Served {
  readonly connection: string;
  readonly provider: string;
}

/**
 * Returns the name of a request's connection; for a removed one, and the sandbox, the provider's id. Stable until names
 * change.
 */
export function useConnectionNames(): (served: Served) => string {
  const { data: connections } = useConnections();
  const names = JSON.stringify((connections ?? []).map(({ id, name }) => [id, name]));
  return useMemo(() => {
    const byId = new Map(JSON.parse(names) as [string, string][]);
    return ({ connection, provider }) => byId.get(connection) ?? provider;
  }, [names]);
}
