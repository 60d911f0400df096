import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { KeyView } from "../../../gateway/contract/key.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { Modal } from "../../components/ui/dialog.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { getDraft } from "./key-draft.ts";
import { KeyForm } from "./key-form.tsx";
import { useKeyForm } from "./use-key-form.ts";

export interface EditKeyDialogProps {
  readonly target: KeyView | null;
  readonly onClose: () => void;
}

export function EditKeyDialog({ target, onClose }: EditKeyDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal
      open={target !== null}
      onClose={onClose}
      title={t.keys.editTitle}
      description={target?.origin === "environment" ? t.keys.editEnvironment : undefined}
    >
      {target !== null && <Limits key={target.id} target={target} onClose={onClose} />}
    </Modal>
  );
}

function Limits({ target, onClose }: { readonly target: KeyView; readonly onClose: () => void }): ReactNode {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const form = useKeyForm(getDraft(target), target, async (limits) => {
    const { name, models, reset, expires_at, rpm, concurrency } = target;
    const { hosted_tools, stored_objects, mask_secrets, mask_words, ollama_default } = target;
    const more = { mask_secrets, mask_words, ollama_default };
    const others = { name, models, reset, expires_at, rpm, concurrency, hosted_tools, stored_objects, ...more };
    const before = limits.limit_usd === undefined ? others : { ...others, limit_usd: target.limit_usd };
    await client.call("updateKey", limits, target.id);
    await cache.invalidateQueries({ queryKey: [queryNames.keys] });
    onClose();
    notify.undoable(t.keys.changed(limits.name), () => {
      client
        .call("updateKey", before, target.id)
        .then(() => cache.invalidateQueries({ queryKey: [queryNames.keys] }), notify.showError);
    });
  });
  return (
    <KeyForm
      draft={form.draft}
      onChange={form.change}
      errors={form.errors}
      keepsExpiry={target.expires_at !== null}
      busy={form.busy}
      action={t.app.save}
      onSubmit={form.submit}
      onCancel={onClose}
    />
  );
}
