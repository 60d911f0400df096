import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { LocalServerView } from "../../gateway/contract/local-servers.ts";
import { useGateway } from "../api/gateway.tsx";
import { queryNames } from "../api/query-names.ts";
import { useMessages } from "../lib/i18n.tsx";
import { Button } from "./ui/button.tsx";
import { useNotify } from "./ui/toasts.tsx";

type Decision = "useLocalServer" | "refuseLocalServer" | "forgetLocalServer";

/**
 * Local model servers, offered until connected or dismissed. Empty if there are no such servers.
 * @param props.refused whether to include dismissed ones
 */
export function LocalServers({ refused = false }: { readonly refused?: boolean }): ReactNode {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const { data: servers = [] } = useQuery({
    queryKey: [queryNames.localServers],
    queryFn: async () => (await client.call("listLocalServers")).data,
  });
  const [busy, setBusy] = useState<string | null>(null);
  const shown = servers.filter(({ state }) => state === "offered" || (refused && state === "refused"));
  if (shown.length === 0) return null;

  const decide = async (decision: Decision, server: LocalServerView): Promise<void> => {
    setBusy(server.id);
    try {
      await client.call(decision, decision === "useLocalServer" ? { other_user: isOthers(server) } : {}, server.id);
      if (decision === "useLocalServer") notify.confirm(t.connections.added(server.name));
    } catch (error) {
      notify.showError(error);
    } finally {
      setBusy(null);
      const names: readonly unknown[] = [
        queryNames.localServers,
        queryNames.connections,
        queryNames.state,
        queryNames.models,
      ];
      await cache.invalidateQueries({ predicate: ({ queryKey }) => names.includes(queryKey[0]) });
    }
  };
  const action = (label: string, decision: Decision, server: LocalServerView): ReactNode => (
    <Button busy={busy === server.id} onClick={() => busy === null && void decide(decision, server)}>
      {label}
    </Button>
  );
  return (
    <section className="panel px-3.5 py-2.5" aria-label={t.connections.localTitle}>
      <h2 className="font-medium">{t.connections.localTitle}</h2>
      <p className="mt-0.5 text-meta text-muted">{t.connections.localHelp}</p>
      <ul>
        {shown.map((server) => (
          <li key={server.id} className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <span className="min-w-0 grow basis-48">
              <span className="font-medium">{server.name}</span>{" "}
              <span className="font-mono text-meta wrap-anywhere text-muted">{server.base_url}</span>
              {isOthers(server) && (
                <span className="block text-warning-text">{t.connections.localOther(getUser(server))}</span>
              )}
            </span>
            <span className="flex flex-wrap gap-1.5">
              {server.state === "refused" ? (
                action(t.connections.localAgain, "forgetLocalServer", server)
              ) : (
                <>
                  {action(
                    isOthers(server)
                      ? t.connections.localUseOther(server.name, getUser(server))
                      : t.connections.localUse(server.name),
                    "useLocalServer",
                    server,
                  )}
                  {action(t.connections.localRefuse, "refuseLocalServer", server)}
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const isOthers = ({ user }: LocalServerView): boolean => user?.other === true;

const getUser = ({ user }: LocalServerView): string => user?.name ?? String(user?.uid ?? "");
