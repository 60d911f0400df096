import { useQuery } from "@tanstack/react-query";
import type { ModelFacts } from "../../../gateway/contract/playground.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";

/** Returns the inputs that a model accepts; undefined while loading, and if no connection serves it. */
export function useModelFacts(model: string): ModelFacts | undefined {
  const { client } = useGateway();
  const { data } = useQuery({
    // Connections change which models are served, and their events invalidate models too.
    queryKey: [queryNames.models, "facts", model],
    queryFn: () => client.call("modelFacts", { model }),
    enabled: model !== "",
  });
  return data;
}
