import { useState, type FormEvent, type ReactNode } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { startOfDay } from "../../lib/typed.ts";
import { leastOf } from "./task-filter.ts";

interface FormProps {
  readonly params: URLSearchParams;
  readonly onClose: () => void;
}

interface DialogProps extends FormProps {
  readonly open: boolean;
}

/** Filters that are typed: the days of a list, and an amount. */
export function DaysDialog({ open, params, onClose }: DialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal open={open} onClose={onClose} title={t.tasks.customTitle} size="small">
      <DaysForm params={params} onClose={onClose} />
    </Modal>
  );
}

function DaysForm({ params, onClose }: FormProps): ReactNode {
  const t = useMessages();
  const [days, setDays] = useState({ from: params.get("from") ?? "", to: params.get("to") ?? "" });
  const [errors, setErrors] = useState<{ readonly from?: string }>({});
  const form = useFocusInvalid(errors);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const [from, to] = [startOfDay(days.from), startOfDay(days.to)];
    if ((from === null && to === null) || (from !== null && to !== null && from > to))
      return setErrors({ from: t.tasks.invalidDays });
    replaceParams({ range: null, from: days.from, to: days.to });
    onClose();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <div className="grid grid-cols-2 gap-3 px-4 pt-3">
        {(["from", "to"] as const).map((end) => (
          <TextField
            key={end}
            type="date"
            label={t.tasks[end]}
            value={days[end]}
            error={end === "from" ? errors.from : undefined}
            onChange={(event) => setDays({ ...days, [end]: event.target.value })}
          />
        ))}
      </div>
      <Foot onClose={onClose} />
    </form>
  );
}

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
    if (leastOf(amount) === null) return setErrors({ amount: t.tasks.invalidAmount });
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
      <Foot onClose={onClose} />
    </form>
  );
}

function Foot({ onClose }: { readonly onClose: () => void }): ReactNode {
  const t = useMessages();
  return (
    <ModalFooter>
      <Button onClick={onClose}>{t.app.cancel}</Button>
      <Button type="submit" look="primary">
        {t.tasks.apply}
      </Button>
    </ModalFooter>
  );
}
