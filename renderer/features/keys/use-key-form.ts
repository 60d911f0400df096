import { useState } from "react";
import { ControlError } from "../../api/client.ts";
import { useNotify, useSentence } from "../../components/ui/toasts.tsx";
import type { CreateKey, KeyView } from "../../../gateway/contract/key.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { getFieldNamed, readDraft, type KeyDraft, type KeyField } from "./key-draft.ts";
import { useBusy } from "../../components/ui/use-busy.ts";

export interface KeyFormState {
  readonly draft: KeyDraft;
  readonly errors: Readonly<Partial<Record<KeyField, string>>>;
  readonly busy: boolean;
  change(draft: KeyDraft): void;
  submit(): void;
}

/** State of a key form: parses the draft, runs `save`, and shows errors at their fields. */
export function useKeyForm(
  initial: KeyDraft,
  before: KeyView | null,
  save: (limits: CreateKey) => Promise<void>,
): KeyFormState {
  const t = useMessages();
  const notify = useNotify();
  const sentenceOf = useSentence();
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<KeyFormState["errors"]>({});
  const { busy, run } = useBusy((error) => {
    const field = error instanceof ControlError ? getFieldNamed(error.param) : undefined;
    if (field !== undefined && error instanceof ControlError) setErrors({ [field]: sentenceOf(error) });
    else notify.showError(error);
  });

  const submit = async (): Promise<void> => {
    const read = readDraft(draft, Date.now(), before);
    if (!read.ok) {
      setErrors(Object.fromEntries([...read.invalid].map((field) => [field, t.keys.invalid[field]])));
      return;
    }
    setErrors({});
    await run(() => save(read.limits));
  };
  return { draft, errors, busy, change: setDraft, submit: () => void submit() };
}
