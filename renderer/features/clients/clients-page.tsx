import { PlugZap, RefreshCw } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { ClientView } from "../../../gateway/contract/clients.ts";
import { useClients } from "../../api/queries.ts";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { Failure, NoticeLine, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, routeHash, useRoute } from "../../lib/router.ts";
import { ClientCard, type ClientTask } from "./client-card.tsx";
import { ConnectAllDialog } from "./connect-all.tsx";
import { useRefresh } from "../../components/clients/use-clients.ts";
import { Button } from "../../components/ui/button.tsx";
import { ConnectDialog } from "../../components/clients/connect-dialog.tsx";
import { LoopLine } from "./loop-line.tsx";
import { SeenApps } from "./seen-apps.tsx";
import { ManualDialog } from "./manual-dialog.tsx";
import { UndoDialog } from "./undo-dialog.tsx";

/** Apps on this machine come first, those with manual setup last. */
const getRank = ({ connected, found, writes }: ClientView): number =>
  connected !== null || found ? 0 : writes.length > 0 ? 1 : 2;

/** The tools that call Postern: each connected by its own key, in its own file. `connect` in the address opens one. */
export function ClientsPage(): ReactNode {
  const t = useMessages();
  const { data: view, error, refetch } = useClients();
  const [task, setTask] = useState<{ readonly name: ClientTask; readonly id: ClientView["id"] } | null>(null);
  const [all, setAll] = useState<readonly ClientView[] | null>(null);
  const { params } = useRoute();
  const asked = params.get("connect");
  const close = (): void => {
    setTask(null);
    if (asked !== null) replaceParams({ connect: null });
  };
  const targetOf = (name: ClientTask): ClientView | null =>
    (task?.name === name ? view?.data.find(({ id }) => id === task.id) : null) ?? null;
  const found = (view?.data ?? []).filter(
    ({ found: isFound, writes, connected }) => isFound && writes.length > 0 && connected === null,
  );
  const outdated = (view?.data ?? []).filter(({ connected }) => connected?.is_outdated === true);
  const { busy, refresh } = useRefresh(outdated.map(({ id }) => id));
  const linked = view?.data.find(({ id, writes }) => id === asked && writes.length > 0);
  if (view === undefined)
    return (
      <>
        <PageHeader title={t.pages.clients} />
        <section className="panel">
          {error === null ? <SkeletonRows rows={8} /> : <Failure error={error} onRetry={() => void refetch()} />}
        </section>
      </>
    );
  return (
    <>
      <PageHeader title={t.pages.clients}>
        <a href={routeHash("overview", { card: "connect" })}>{t.overview.examples}</a>
      </PageHeader>
      <p className="max-w-180 text-muted">{t.clients.about}</p>
      <p className="mt-1 mb-4 text-meta text-faint wrap-anywhere">
        {view.machine === "" ? t.clients.noHome : t.clients.machine(view.machine)}
      </p>
      {(found.length > 0 || outdated.length > 0) && (
        <div className="mb-4 flex flex-wrap gap-2">
          {found.length > 0 && (
            <Button look="primary" icon={<PlugZap size={14} aria-hidden />} onClick={() => setAll(found)}>
              {t.clients.all.open}
            </Button>
          )}
          {outdated.length > 0 && (
            <Button busy={busy} icon={<RefreshCw size={14} aria-hidden />} onClick={() => void refresh()}>
              {t.clients.refresh}
            </Button>
          )}
        </div>
      )}
      {view.loops.length > 0 && (
        <div className="mb-4 flex flex-col gap-2">
          {view.loops.map((loop) => (
            <NoticeLine key={`${loop.kind} ${loop.address}`} level="warning">
              <LoopLine loop={loop} />
            </NoticeLine>
          ))}
        </div>
      )}
      <SeenApps />
      <div className="grid items-start gap-3 min-[900px]:grid-cols-2">
        {view.data
          .toSorted((a, b) => getRank(a) - getRank(b))
          .map((client) => (
            <ClientCard
              key={client.id}
              client={client}
              home={view.machine}
              onTask={(name) => setTask({ name, id: client.id })}
            />
          ))}
      </div>
      <ConnectAllDialog clients={all} onClose={() => setAll(null)} />
      <ConnectDialog client={targetOf("connect") ?? linked ?? null} onClose={close} />
      <UndoDialog client={targetOf("undo")} onClose={close} />
      <ManualDialog client={targetOf("manual")} onClose={close} />
    </>
  );
}
