import type { ReactNode } from "react";
import type { ClientView } from "../../../gateway/contract/clients.ts";
import { CopyIcon } from "../../components/ui/copy.tsx";
import { Modal } from "../../components/ui/dialog.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { manualReason } from "./client-card.tsx";

export interface ManualDialogProps {
  readonly client: ClientView | null;
  readonly onClose: () => void;
}

/** Texts to copy, and the files that they belong in. */
export function ManualDialog({ client, onClose }: ManualDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal
      open={client !== null}
      onClose={onClose}
      title={t.clients.manualTitle(client?.name ?? "")}
      description={t.clients.manualHelp}
      size="large"
    >
      {client !== null && (
        <div className="flex flex-col gap-3 px-4 pt-3 pb-4">
          {manualReason(client, t.clients.manualWhy) !== "" && (
            <p className="text-muted">{manualReason(client, t.clients.manualWhy)}</p>
          )}
          {client.manual.map(({ label, text }, index) => (
            <div key={`${index} ${label}`} className="min-w-0">
              <div className="flex items-center gap-2">
                <h3 className="min-w-0 grow font-mono text-meta text-muted wrap-anywhere">{label}</h3>
                <CopyIcon text={text} label={t.clients.copyText(label)} />
              </div>
              <pre className="rounded-md border border-line bg-canvas px-3 py-2 font-mono text-meta whitespace-pre-wrap wrap-anywhere">
                {text}
              </pre>
            </div>
          ))}
        </div>
      )}
    </Modal>
  );
}
