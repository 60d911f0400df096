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
  const { errors, refuse, mark } = useFieldErrors();
  const { busy, run } = useBusy(refuse);
  const form = useFocusInvalid(errors);
  const { update } = useConnectionActions();

  const submit = async (): Promise<void> => {
    const given = keys.map((key) => key.trim()).filter((key) => key !== "");
    if (given.length === 0) return mark(new Set(["keys"]));
    if (!(await run(() => update(target.id, { keys: given })))) return;
    onClose();
    notify.said(t.connections.replaced(target.name));
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) void submit();
  };
  return (
    <form ref={form} onSubmit={onSubmit} noValidate>
      <div className="px-4 pt-3">
        <KeyInputs keys={keys} onChange={setKeys} optional={false} error={errors.keys} help={t.connections.keyHelp} />
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {t.connections.replaceKey}
        </Button>
      </ModalFooter>
    </form>
  );
}
