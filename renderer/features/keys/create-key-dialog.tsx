import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { CreatedKey } from "../../../gateway/contract/key.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { Modal } from "../../components/ui/dialog.tsx";
import { NoticeLine } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { emptyDraft } from "./key-draft.ts";
import { KeyForm } from "./key-form.tsx";
import { KeyOnce } from "./key-once.tsx";
import { useKeyForm } from "./use-key-form.ts";

export interface CreateKeyDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Name that a link from outside filled in. */
  readonly linkedName?: string | undefined;
}

/** Makes a key, then shows it once: that panel closes by its own button only. */
export function CreateKeyDialog({ open, onClose, linkedName }: CreateKeyDialogProps): ReactNode {
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
      {once ? (
        <KeyOnce created={created} onStored={close} />
      ) : (
        <NewKey linkedName={linkedName} onCreated={setCreated} onCancel={close} />
      )}
    </Modal>
  );
}

function NewKey(props: {
  readonly linkedName: string | undefined;
  readonly onCreated: (created: CreatedKey) => void;
  readonly onCancel: () => void;
}): ReactNode {
  const t = useMessages();
  const cache = useQueryClient();
  const { client } = useGateway();
  const form = useKeyForm({ ...emptyDraft, name: props.linkedName ?? "" }, null, async (limits) => {
    props.onCreated(await client.call("createKey", limits));
    await cache.invalidateQueries({ queryKey: [queryNames.keys] });
  });
  const fields = (
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
  if (props.linkedName === undefined) return fields;
  return (
    <>
      <div className="px-4 pt-3">
        <NoticeLine level="warning">{t.link.key}</NoticeLine>
      </div>
      {fields}
    </>
  );
}
