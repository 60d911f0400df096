import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CreatedKey } from "../../../gateway/contract/key.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useBusy } from "../../components/ui/use-busy.ts";
import { useMessages } from "../../lib/i18n.tsx";

/** The key that stands in the examples of the page. Its secret is known only while the page that made it is shown. */
export interface ExampleKey {
  readonly created: CreatedKey | null;
  readonly busy: boolean;
  create(): void;
}

export function useExampleKey(): ExampleKey {
  const t = useMessages();
  const cache = useQueryClient();
  const { client } = useGateway();
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const { busy, run } = useBusy();
  return {
    created,
    busy,
    create: () =>
      void run(async () => {
        setCreated(await client.call("createKey", { name: t.overview.keyName }));
        await cache.invalidateQueries({ queryKey: [queryNames.keys] });
      }),
  };
}
