import { useRef, useState, type ReactNode } from "react";
import type { ClientView } from "../../../gateway/contract/clients.ts";
import { useGateway } from "../../api/gateway.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify, useSentence } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { FileChanges } from "../../components/clients/file-changes.tsx";
import { useRenewClients, useUndoPlan } from "../../components/clients/use-clients.ts";
import { useBusy } from "../../components/ui/use-busy.ts";

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
  const sentenceOf = useSentence();
  const { client: control } = useGateway();
  const renew = useRenewClients();
  const { data: plan, error, refetch, isFetching } = useUndoPlan(client.id);
  const [failure, setFailure] = useState<unknown>(null);
  const { busy, run } = useBusy((error) => {
    setFailure(error);
    return refetch();
  });
  const undo = async (): Promise<void> => {
    if (plan === undefined) return;
    setFailure(null);
    await run(async () => {
      await control.call("undoClient", { token: plan.token }, client.id);
      onUndone();
      notify.confirm(t.clients.undone(client.name));
      await renew();
    });
  };
  return (
    <>
      <div className="px-4 pt-3">
        {plan === undefined ? (
          error === null ? (
            <SkeletonRows />
          ) : (
            <Failure error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <FileChanges plan={plan} />
        )}
        {failure !== null && (
          <p role="alert" className="mt-3 text-danger-text wrap-anywhere">
            {sentenceOf(failure)}
          </p>
        )}
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button look="danger" busy={busy} disabled={plan === undefined || isFetching} onClick={() => void undo()}>
          {t.clients.undoNow}
        </Button>
      </ModalFooter>
    </>
  );
}
