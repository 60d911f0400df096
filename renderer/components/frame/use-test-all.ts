import { useQueryClient } from "@tanstack/react-query";
import { useGateway } from "../../api/gateway.tsx";
import { useConnections } from "../../api/queries.ts";
import { queryNames } from "../../api/query-names.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { useNotify } from "../ui/toasts.tsx";

/** Tests all enabled providers at the same time, and names those that fail; null without any. */
export function useTestAll(): (() => Promise<void>) | null {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const { data: connections = [] } = useConnections();
  const tested = connections.filter(({ enabled, present }) => enabled && present);
  if (tested.length === 0) return null;
  return async () => {
    notify.confirm(t.palette.testing(tested.length));
    const results = await Promise.all(
      tested.map(async ({ id, name }) => {
        const { ok } = await client.call("testConnection", {}, id).catch(() => ({ ok: false }));
        return { name, ok };
      }),
    );
    await cache.invalidateQueries({ queryKey: [queryNames.connections] });
    const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
    notify.confirm(
      failed.length === 0 ? t.palette.allWork(tested.length) : t.palette.notWorking(failed.join(t.app.listed)),
    );
  };
}
