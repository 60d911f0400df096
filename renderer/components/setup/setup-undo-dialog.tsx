import { useState, type ReactNode } from "react";
import { useGateway } from "../../api/gateway.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { Button } from "../ui/button.tsx";
import { Modal, ModalFooter } from "../ui/dialog.tsx";
import { Failure, NoticeLine, SkeletonRows } from "../ui/states.tsx";
import { useNotify, useSentence } from "../ui/toasts.tsx";
import { useBusy } from "../ui/use-busy.ts";
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
  const sentenceOf = useSentence();
  const { client } = useGateway();
  const renew = useRenewSetup();
  const { data: plan, error, refetch, isFetching } = useSetupUndoPlan(id);
  const [failure, setFailure] = useState<unknown>(null);
  const { busy, run } = useBusy((reason) => {
    setFailure(reason);
    return refetch();
  });
  const undo = async (): Promise<void> => {
    if (plan === undefined) return;
    setFailure(null);
    await run(async () => {
      await client.call("undoSetup", { token: plan.token }, id);
      onClose();
      notify.confirm(t.setup.undone);
      await renew();
    });
  };
  return (
    <>
      <div className="flex flex-col gap-3 px-4 pt-3">
        {plan === undefined ? (
          error === null ? (
            <SkeletonRows />
          ) : (
            <Failure error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <>
            <SetupChanges changes={plan.changes} />
            {plan.left.length > 0 && (
              <NoticeLine level="warning">
                {t.setup.leftSince(plan.left.map(({ name }) => name).join(t.app.listed))}
              </NoticeLine>
            )}
          </>
        )}
        {failure !== null && (
          <p role="alert" className="text-danger-text wrap-anywhere">
            {sentenceOf(failure)}
          </p>
        )}
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button look="danger" busy={busy} disabled={plan === undefined || isFetching} onClick={() => void undo()}>
          {t.setup.undo}
        </Button>
      </ModalFooter>
    </>
  );
}
