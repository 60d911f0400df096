import { useState, type FormEvent, type ReactNode } from "react";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { Button } from "./button.tsx";
import { Modal, ModalFooter } from "./dialog.tsx";
import { TextField } from "./field.tsx";

/** Two days as an address has them, YYYY-MM-DD; empty for an open end. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

interface FormProps {
  readonly params: URLSearchParams;
  /** Default days for an address without any; empty ones otherwise. */
  readonly usual?: () => string;
  /** Returns the error of the chosen days; null if they are valid. */
  readonly check: (days: Days) => string | null;
  readonly onClose: () => void;
}

export interface DaysDialogProps extends FormProps {
  readonly open: boolean;
  readonly title: string;
}

/** The shown days as text; they set `from` and `to` in the address, in place of a range. */
export function DaysDialog({ open, title, ...form }: DaysDialogProps): ReactNode {
  return (
    <Modal open={open} onClose={form.onClose} title={title} size="small">
      <DaysForm {...form} />
    </Modal>
  );
}

function DaysForm({ params, usual = () => "", check, onClose }: FormProps): ReactNode {
  const t = useMessages();
  const [days, setDays] = useState<Days>(() => ({
    from: params.get("from") ?? usual(),
    to: params.get("to") ?? usual(),
  }));
  const [errors, setErrors] = useState<{ readonly from?: string }>({});
  const form = useFocusInvalid(errors);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wrong = check(days);
    if (wrong !== null) return setErrors({ from: wrong });
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
            label={t.table.days[end]}
            value={days[end]}
            error={end === "from" ? errors.from : undefined}
            onChange={(event) => setDays({ ...days, [end]: event.target.value })}
          />
        ))}
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
