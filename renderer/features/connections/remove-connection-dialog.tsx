import { useState, type ReactNode } from "react";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import { Confirm } from "../../components/ui/dialog.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { useConnectionActions } from "./use-connection-actions.ts";

export interface RemoveConnectionDialogProps {
  readonly target: ConnectionView | null;
  readonly onClose: () => void;
}

export function RemoveConnectionDialog({ target, onClose }: RemoveConnectionDialogProps): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { remove } = useConnectionActions();
  const [busy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    if (target === null) return;
    setBusy(true);
    try {
      await remove(target);
      onClose();
      notify.said(t.connections.removed(target.name));
    } catch (error) {
      notify.failed(error);
    } finally {
      setBusy(false);
    }
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
