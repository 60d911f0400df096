import type { ReactNode } from "react";
import { useGateway } from "../../api/gateway.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { Modal } from "../ui/dialog.tsx";
import { NoticeLine } from "../ui/states.tsx";
import { useNotify } from "../ui/toasts.tsx";
import { PlannedUndo } from "./planned-undo.tsx";
import { SetupChanges } from "./setup-changes.tsx";
import { useRenewSetup, useSetupUndoPlan } from "./use-setups.ts";

export interface SetupUndoDialogProps {
  /** The set-up to undo, and its label; null: closed. */
  readonly setup: { readonly id: string; readonly label: string } | null;
  readonly onClose: () => void;
}

/** Shows what will be removed and what stays because it was changed since, then undoes the rest. */
export function SetupUndoDialog({ setup, onClose }: SetupUndoDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal
      open={setup !== null}
      onClose={onClose}
      title={t.setup.undoTitle(setup?.label ?? "")}
      description={t.setup.undoHelp}
      size="large"
    >
      {setup !== null && <Undoing id={setup.id} onClose={onClose} />}
    </Modal>
  );
}

function Undoing({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { client } = useGateway();
  const renew = useRenewSetup();
  return (
    <PlannedUndo
      query={useSetupUndoPlan(id)}
      undo={async ({ token }) => {
        await client.call("undoSetup", { token }, id);
        onClose();
        notify.confirm(t.setup.undone);
        await renew();
      }}
      action={t.setup.undo}
      onClose={onClose}
    >
      {({ changes, left }) => (
        <>
          <SetupChanges changes={changes} />
          {left.length > 0 && (
            <NoticeLine level="warning">
              {t.setup.leftSince(left.map(({ name }) => name).join(t.app.listed))}
            </NoticeLine>
          )}
        </>
      )}
    </PlannedUndo>
  );
}
