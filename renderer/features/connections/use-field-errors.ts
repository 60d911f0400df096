import { useState } from "react";
import { ControlError } from "../../api/client.ts";
import { useNotify, useSentence } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { connectionFields, type ConnectionField } from "./connection-draft.ts";

export interface FieldErrors {
  readonly errors: Readonly<Partial<Record<ConnectionField, string>>>;
  /** Marks the fields that the form itself found wrong. */
  mark(invalid: ReadonlySet<ConnectionField>): void;
  /** Shows an error at one field. */
  say(field: ConnectionField, sentence: string): void;
  /** Shows a refusal of the gateway: next to the field that it names, else as a toast. */
  refuse(error: unknown): void;
  clear(): void;
}

export function useFieldErrors(): FieldErrors {
  const t = useMessages();
  const notify = useNotify();
  const sentenceOf = useSentence();
  const [errors, setErrors] = useState<FieldErrors["errors"]>({});
  return {
    errors,
    mark: (invalid) =>
      setErrors(Object.fromEntries([...invalid].map((field) => [field, t.connections.invalid[field]]))),
    say: (field, sentence) => setErrors({ [field]: sentence }),
    refuse(error) {
      const param = error instanceof ControlError ? error.param?.split(/[.[]/)[0] : undefined;
      const field = connectionFields.find((each) => each === param);
      if (field === undefined || !(error instanceof ControlError)) notify.showError(error);
      else setErrors({ [field]: sentenceOf(error) });
    },
    clear: () => setErrors({}),
  };
}
