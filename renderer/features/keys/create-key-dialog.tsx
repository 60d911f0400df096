import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { CreatedKey } from "../../../gateway/contract/key.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { Modal } from "../../components/ui/dialog.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { emptyDraft } from "./key-draft.ts";
import { KeyForm } from "./key-form.tsx";
import { KeyOnce } from "./key-once.tsx";
import { useKeyForm } from "./use-key-form.ts";

export interface CreateKeyDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Makes a key, then shows it once: that panel closes by its own button only. */
export function CreateKeyDialog({ open, onClose }: CreateKeyDialogProps): ReactNode {
  const t = useMessages();
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const close = (): void => {
    onClose();
    setCreated(null);
  };
  const once = created !== null;
  return (
    <Modal
      open={open}
      onClose={close}
      title={once ? t.keys.onceTitle : t.keys.createTitle}
      description={once ? t.keys.onceHelp : undefined}
      dismissible={!once}
    >
      {once ? <KeyOnce created={created} onStored={close} /> : <NewKey onCreated={setCreated} onCancel={close} />}
    </Modal>
  );
}

function NewKey(props: {
  readonly onCreated: (created: CreatedKey) => void;
  readonly onCancel: () => void;
}): ReactNode {
  const t = useMessages();
  const cache = useQueryClient();
  const { client } = useGateway();
  const form = useKeyForm(emptyDraft, null, async (limits) => {
    props.onCreated(await client.call("createKey", limits));
    await cache.invalidateQueries({ queryKey: [queryNames.keys] });
  });
  return (
    <KeyForm
      draft={form.draft}
      onChange={form.change}
      errors={form.errors}
      busy={form.busy}
      action={t.keys.create}
      onSubmit={form.submit}
      onCancel={props.onCancel}
    />
  );
}
