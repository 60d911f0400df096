import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useGateway } from "../../../api/gateway.tsx";
import { queryNames } from "../../../api/query-names.ts";
import { useOverlays } from "../../../components/frame/overlays.ts";
import { routeHash } from "../../../lib/router.ts";
import { LocalServers } from "../../../components/local-servers.tsx";
import { useTestSentence } from "../../../components/test-sentence.ts";
import { Button } from "../../../components/ui/button.tsx";
import { useNotify } from "../../../components/ui/toasts.tsx";
import { useMessages } from "../../../lib/i18n.tsx";

/** Adds a provider: by its key, or by one that lies in the environment. Programs of this machine are offered. */
export function ProviderStep(): ReactNode {
  const t = useMessages();
  const overlays = useOverlays();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const { data: found = [] } = useQuery({
    queryKey: [queryNames.foundKeys],
    queryFn: async () => (await client.call("listFoundKeys")).data,
  });
  const { data: programs = [] } = useQuery({
    queryKey: [queryNames.imports],
    queryFn: async () => (await client.call("listImportPrograms")).data,
  });
  const elsewhere = programs.filter(({ files, applied }) => files.length > 0 && applied === null);
  const sentenceOf = useTestSentence();
  const [busy, setBusy] = useState<string | null>(null);

  const use = async (variable: string): Promise<void> => {
    setBusy(variable);
    try {
      const { id, name } = await client.call("connectFoundKey", { variable });
      const test = await client.call("testConnection", {}, id);
      if (test.ok) notify.confirm(t.firstRun.used(name, test.models));
      else notify.showError(sentenceOf(test));
    } catch (error) {
      notify.showError(error);
    } finally {
      setBusy(null);
      await cache.invalidateQueries({
        predicate: ({ queryKey }) =>
          [queryNames.foundKeys, queryNames.connections, queryNames.state, queryNames.models].some(
            (name) => name === queryKey[0],
          ),
      });
    }
  };

  return (
    <>
      <p className="mb-2.5 text-muted">{t.firstRun.providerHelp}</p>
      {found.length > 0 && <p className="mb-1.5 text-meta text-muted">{t.firstRun.found}</p>}
      <div className="flex flex-wrap gap-1.5">
        {found.map(({ variable, label }) => (
          <Button
            key={variable}
            title={label}
            busy={busy === variable}
            aria-disabled={busy !== null}
            onClick={() => busy === null && void use(variable)}
          >
            {t.firstRun.use(variable)}
          </Button>
        ))}
        <Button look={found.length === 0 ? "primary" : "plain"} onClick={() => overlays.open("addConnection")}>
          {t.connections.add}
        </Button>
      </div>
      {elsewhere.length > 0 && (
        <p className="mt-2.5 flex flex-wrap gap-x-3 gap-y-1">
          <span className="text-muted">{t.import.firstRun}</span>
          {elsewhere.map(({ id, label }) => (
            <a key={id} href={routeHash("import", { program: id })}>
              {t.import.firstRunImport(label)}
            </a>
          ))}
        </p>
      )}
      <div className="mt-2.5 empty:hidden">
        <LocalServers />
      </div>
    </>
  );
}
