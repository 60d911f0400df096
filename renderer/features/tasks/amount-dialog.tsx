import { useState, type FormEvent, type ReactNode } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { parseMinCost } from "./task-filter.ts";

interface FormProps {
  readonly params: URLSearchParams;
  readonly onClose: () => void;
}

interface DialogProps extends FormProps {
  readonly open: boolean;
}

/** The least that a task has cost, typed. */
export function AmountDialog({ open, params, onClose }: DialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal open={open} onClose={onClose} title={t.tasks.minTitle} size="small">
      <AmountForm params={params} onClose={onClose} />
    </Modal>
  );
}

function AmountForm({ params, onClose }: FormProps): ReactNode {
  const t = useMessages();
  const [amount, setAmount] = useState(params.get("min") ?? "");
  const [errors, setErrors] = useState<{ readonly amount?: string }>({});
  const form = useFocusInvalid(errors);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (parseMinCost(amount) === null) return setErrors({ amount: t.tasks.invalidAmount });
    replaceParams({ min: amount.trim().replace(/^\$/, "") });
    onClose();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <div className="px-4 pt-3">
        <TextField
          label={t.tasks.amount}
          inputMode="decimal"
          value={amount}
          error={errors.amount}
          onChange={(event) => setAmount(event.target.value)}
        />
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" look="primary">
          {t.table.apply}
        </Button>
      </ModalFooter>
    </form>
  );
}
