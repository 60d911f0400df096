import { Plug } from "lucide-react";
import { useState } from "react";
import type { ReactNode } from "react";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import { useConnections, useGatewayState } from "../../api/queries.ts";
import { useOverlays } from "../../components/frame/overlays.ts";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { LocalServers } from "../../components/local-servers.tsx";
import { LockedKeys } from "../../components/locked-keys.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Empty, Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { ConnectionPanel, type ConnectionTask } from "./connection-panel.tsx";
import { EditConnectionDialog } from "./edit-connection-dialog.tsx";
import { ReplaceKeyDialog } from "./replace-key-dialog.tsx";
import { Confirm } from "../../components/ui/dialog.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useConnectionActions } from "./use-connection-actions.ts";
import { useBusy } from "../../components/ui/use-busy.ts";

export function ConnectionsPage(): ReactNode {
  const t = useMessages();
  const overlays = useOverlays();
  const { data: connections, error, refetch } = useConnections();
  const { data: state } = useGatewayState();
  const [task, setTask] = useState<{ readonly name: ConnectionTask; readonly target: ConnectionView } | null>(null);
  const add = (): void => overlays.open("addConnection");
  const close = (): void => setTask(null);
  const targetOf = (name: ConnectionTask): ConnectionView | null => (task?.name === name ? task.target : null);

  return (
    <>
      <PageHeader title={t.pages.connections} action={t.connections.add} onAction={add} />
      <div className="mb-3 empty:hidden">
        <LocalServers refused />
      </div>
      {connections === undefined ? (
        <section className="panel">
          {error === null ? <SkeletonRows /> : <Failure error={error} onRetry={() => void refetch()} />}
        </section>
      ) : connections.length === 0 ? (
        <section className="panel">
          <Empty
            icon={<Plug size={24} aria-hidden />}
            title={t.connections.empty}
            help={state?.sandbox.active === false ? t.connections.emptyHelpOff : t.connections.emptyHelp}
            action={<Button onClick={add}>{t.connections.add}</Button>}
          />
        </section>
      ) : (
        <div className="flex flex-col gap-3">
          <LockedKeys />
          {connections.map((connection) => (
            <ConnectionPanel
              key={connection.id}
              connection={connection}
              onTask={(name) => setTask({ name, target: connection })}
            />
          ))}
        </div>
      )}
      <EditConnectionDialog target={targetOf("edit")} onClose={close} />
      <ReplaceKeyDialog target={targetOf("replace")} onClose={close} />
      <RemoveConnectionDialog target={targetOf("remove")} onClose={close} />
    </>
  );
}

interface RemoveConnectionDialogProps {
  readonly target: ConnectionView | null;
  readonly onClose: () => void;
}

function RemoveConnectionDialog({ target, onClose }: RemoveConnectionDialogProps): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { remove } = useConnectionActions();
  const { busy, run } = useBusy();
  const confirm = async (): Promise<void> => {
    if (target === null || !(await run(() => remove(target)))) return;
    onClose();
    notify.confirm(t.connections.removed(target.name));
  };
  return (
    <Confirm
      open={target !== null}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={t.connections.removeTitle(target?.name ?? "")}
      description={t.connections.removeHelp}
      action={t.connections.remove}
      busy={busy}
    />
  );
}
