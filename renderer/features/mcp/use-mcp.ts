import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { McpView } from "../../../gateway/contract/mcp.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";

/** Sessions open and close without an event. */
const SESSIONS_EVERY_MS = 10_000;

/** The tool server as it stands; its calls are kept fresh by events. */
export function useMcp(): UseQueryResult<McpView> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.mcp],
    queryFn: () => client.call("mcp"),
    refetchInterval: SESSIONS_EVERY_MS,
  });
}
