import { useState, type FormEvent, type ReactNode } from "react";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import { Button } from "../../components/ui/button.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { KeyInputs } from "./key-inputs.tsx";
import { useConnectionActions } from "./use-connection-actions.ts";
import { useFieldErrors } from "./use-field-errors.ts";
import { useTestedSave } from "./use-tested-save.ts";
import { useBusy } from "../../components/ui/use-busy.ts";

export interface ReplaceKeyDialogProps {
  readonly target: ConnectionView | null;
  readonly onClose: () => void;
}

export function ReplaceKeyDialog({ target, onClose }: ReplaceKeyDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal
      open={target !== null}
      onClose={onClose}
      title={t.connections.replaceTitle(target?.name ?? "")}
      description={t.connections.replaceHelp}
    >
      {target !== null && <NewKeys key={target.id} target={target} onClose={onClose} />}
    </Modal>
  );
}

function NewKeys({ target, onClose }: { readonly target: ConnectionView; readonly onClose: () => void }): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const [keys, setKeys] = useState<readonly string[]>([""]);
  const { errors, refuse, mark, say } = useFieldErrors();
  const { busy, run } = useBusy(refuse);
  const form = useFocusInvalid(errors);
  const { update } = useConnectionActions();

  const tested = useTestedSave((_field, sentence) => say("keys", sentence));

  const submit = async (anyway = false): Promise<void> => {
    const given = keys.map((key) => key.trim()).filter((key) => key !== "");
    if (given.length === 0) return mark(new Set(["keys"]));
    const { provider, name, base_url, allow_http } = target;
    const write = (): Promise<unknown> => update(target.id, { keys: given });
    let saved = anyway;
    const work = async (): Promise<void> => {
      if (anyway) await write();
      else saved = await tested.save({ provider, name, base_url, allow_http, keys: given }, write);
    };
    if (!(await run(work)) || !saved) return;
    onClose();
    notify.confirm(t.connections.replaced(target.name));
  };
  const edit = (next: readonly string[]): void => {
    setKeys(next);
    tested.forget();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) void submit();
  };
  return (
    <form ref={form} onSubmit={onSubmit} noValidate>
      <div className="px-4 pt-3">
        <KeyInputs keys={keys} onChange={edit} optional={false} error={errors.keys} help={t.connections.keyHelp} />
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        {tested.failed && (
          <Button aria-disabled={busy} onClick={() => void (busy || submit(true))}>
            {t.connections.saveAnyway}
          </Button>
        )}
        <Button type="submit" look="primary" busy={busy}>
          {t.connections.replaceKey}
        </Button>
      </ModalFooter>
    </form>
  );
}
