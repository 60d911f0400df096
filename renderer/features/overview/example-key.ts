import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CreatedKey } from "../../../gateway/contract/key.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useBusy } from "../../components/ui/use-busy.ts";
import { useMessages } from "../../lib/i18n.tsx";

/**
 * Key for the examples of the page: the first key of a new data folder in the run that created it, or one created by
 * the page while it is shown.
 */
export interface ExampleKey {
  readonly created: CreatedKey | null;
  /** Whether it is the first key, which other pages and a reload show again. */
  readonly isFirst: boolean;
  readonly busy: boolean;
  create(): void;
}

export function useExampleKey(): ExampleKey {
  const t = useMessages();
  const cache = useQueryClient();
  const { client } = useGateway();
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const { busy, run } = useBusy();
  const first = useQuery({
    queryKey: [queryNames.keys, "first"],
    queryFn: ({ signal }) => client.call("firstKey", undefined, undefined, signal),
  });
  return {
    created: created ?? first.data?.created ?? null,
    isFirst: created === null && first.data?.created != null,
    busy,
    create: () =>
      void run(async () => {
        setCreated(await client.call("createKey", { name: t.overview.keyName }));
        await cache.invalidateQueries({ queryKey: [queryNames.keys] });
      }),
  };
}
