import { useQuery } from "@tanstack/react-query";
import type { ModelFacts } from "../../../gateway/contract/playground.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";

/** What a model accepts; undefined until it is known, and where no one serves it. */
export function useModelFacts(model: string): ModelFacts | undefined {
  const { client } = useGateway();
  const { data } = useQuery({
    // Connections change what serves a model, and are told of as models are.
    queryKey: [queryNames.models, "facts", model],
    queryFn: () => client.call("modelFacts", { model }),
    enabled: model !== "",
  });
  return data;
}
