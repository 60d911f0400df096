import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent, type ReactNode } from "react";
import { keyLimitsSchema, type KeyView, type Reset } from "../../../gateway/contract/key.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { Button } from "../ui/button.tsx";
import { Modal, ModalFooter } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { useNotify } from "../ui/toasts.tsx";
import { useBusy } from "../ui/use-busy.ts";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { useMessages } from "../../lib/i18n.tsx";

/** Default limit for a key without one. */
const USUAL = { amount: "5", reset: "daily" } as const;

export interface LimitDialogProps {
  readonly open: boolean;
  readonly keys: readonly KeyView[];
  /** The key that is selected first; falls back to the most recently used one. */
  readonly first: string;
  readonly onClose: () => void;
}

/** How much an app may spend a day or a month: the one limit that people are in a hurry for. */
export function LimitDialog({ open, keys, first, onClose }: LimitDialogProps): ReactNode {
  const t = useMessages();
  const [newest] = keys.toSorted((a, b) => (b.last_used_at ?? 0) - (a.last_used_at ?? 0));
  const target = keys.find(({ id }) => id === first) ?? newest;
  return (
    <Modal open={open && target !== undefined} onClose={onClose} title={t.keys.limitTitle} size="small">
      {open && target !== undefined && <LimitForm keys={keys} first={target} onClose={onClose} />}
    </Modal>
  );
}

interface LimitFormProps {
  readonly keys: readonly KeyView[];
  readonly first: KeyView;
  readonly onClose: () => void;
}

const getLimit = ({ limit_usd, reset }: KeyView): { readonly amount: string; readonly reset: Reset } =>
  limit_usd === null ? USUAL : { amount: String(limit_usd), reset };

function LimitForm({ keys, first, onClose }: LimitFormProps): ReactNode {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const [key, setKey] = useState(first);
  const [{ amount, reset }, setLimit] = useState(() => getLimit(first));
  const [error, setError] = useState<string>();
  const form = useFocusInvalid({ amount: error });
  const { busy, run } = useBusy();

  const write = async (limit: Pick<KeyView, "limit_usd" | "reset">): Promise<void> => {
    await client.call("updateKey", limit, key.id);
    await cache.invalidateQueries({ queryKey: [queryNames.keys] });
  };
  const submit = async (): Promise<void> => {
    const text = amount.trim().replace(/^\$/, "");
    const read = keyLimitsSchema.shape.limit_usd.safeParse(text === "" ? null : Number(text));
    if (!read.success || read.data === null) return setError(t.keys.limitInvalid);
    const before = { limit_usd: key.limit_usd, reset: key.reset };
    if (!(await run(() => write({ limit_usd: read.data, reset })))) return;
    onClose();
    notify.undoable(t.keys.limited(key.name), () => void write(before).catch(notify.showError));
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) void submit();
  };
  return (
    <form ref={form} onSubmit={onSubmit} noValidate>
      <div className="grid grid-cols-2 gap-x-3 gap-y-3.5 px-4 pt-3">
        <TextField
          label={t.keys.limit}
          inputMode="decimal"
          value={amount}
          error={error}
          onChange={(event) => {
            setLimit({ amount: event.target.value, reset });
            setError(undefined);
          }}
        />
        <SelectField
          label={t.keys.reset}
          value={reset}
          choices={(["daily", "monthly", "never"] as const).map((id) => ({ id, label: t.keys.resets[id] }))}
          onChange={(next) => setLimit({ amount, reset: next })}
        />
        {keys.length > 1 && (
          <SelectField
            className="col-span-2"
            label={t.keys.key}
            value={key.id}
            choices={keys.map(({ id, name }) => ({ id, label: name }))}
            onChange={(id) => {
              const next = keys.find((each) => each.id === id) ?? key;
              setKey(next);
              setLimit(getLimit(next));
            }}
          />
        )}
        {key.origin === "environment" && <output className="col-span-2 text-muted">{t.keys.editEnvironment}</output>}
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {t.keys.limitSave}
        </Button>
      </ModalFooter>
    </form>
  );
}
