import { useRef, type ReactNode } from "react";
import type { ClientView } from "../../../gateway/contract/clients.ts";
import { useGateway } from "../../api/gateway.tsx";
import { Modal } from "../../components/ui/dialog.tsx";
import { PlannedUndo } from "../../components/setup/planned-undo.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { FileChanges } from "../../components/clients/file-changes.tsx";
import { useRenewClients, useUndoPlan } from "../../components/clients/use-clients.ts";

export interface UndoDialogProps {
  readonly client: ClientView | null;
  readonly onClose: () => void;
}

/** Shows what will be removed, and asks for confirmation: the key cannot be restored. */
export function UndoDialog({ client, onClose }: UndoDialogProps): ReactNode {
  const t = useMessages();
  const key = client?.connected?.key?.name ?? client?.name ?? "";
  const landing = useRef<HTMLElement | null>(null);
  return (
    <Modal
      open={client !== null}
      onClose={onClose}
      returnFocus={() => {
        const to = landing.current;
        landing.current = null;
        return to;
      }}
      title={t.clients.undoTitle(client?.name ?? "")}
      description={t.clients.undoHelp(key)}
      size="large"
    >
      {client !== null && (
        <Undoing
          client={client}
          onClose={onClose}
          onUndone={() => {
            // The opener is removed with the connection; the first button of the card stays.
            landing.current = document.querySelector(`[data-client="${CSS.escape(client.id)}"] button`);
            onClose();
          }}
        />
      )}
    </Modal>
  );
}

interface UndoingProps {
  readonly client: ClientView;
  readonly onClose: () => void;
  readonly onUndone: () => void;
}

function Undoing({ client, onClose, onUndone }: UndoingProps): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { client: control } = useGateway();
  const renew = useRenewClients();
  return (
    <PlannedUndo
      query={useUndoPlan(client.id)}
      undo={async ({ token }) => {
        await control.call("undoClient", { token }, client.id);
        onUndone();
        notify.confirm(t.clients.undone(client.name));
        await renew();
      }}
      action={t.clients.undoNow}
      onClose={onClose}
    >
      {(plan) => <FileChanges plan={plan} />}
    </PlannedUndo>
  );
}
