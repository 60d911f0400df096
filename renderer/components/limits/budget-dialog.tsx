import { APPS } from "../../../gateway/contract/apps.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState, type FormEvent, type ReactNode } from "react";
import { budgetResetSchema, scopeKindSchema, type BudgetView } from "../../../gateway/contract/budgets.ts";
import { useSpenders } from "../../api/budget-queries.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { Button } from "../ui/button.tsx";
import { Modal, ModalFooter } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { useNotify } from "../ui/toasts.tsx";
import { useBusy } from "../ui/use-busy.ts";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { draftOfBudget, readBudget, type BudgetDraft, type BudgetField } from "./budget-draft.ts";

/** A budget that is changed, or the draft of a new one. */
export type EditedBudget = BudgetView | BudgetDraft | null;

export interface BudgetDialogProps {
  readonly edited: EditedBudget;
  readonly onClose: () => void;
}

/** Creates a budget; for an existing one only the amount can be changed. */
export function BudgetDialog({ edited, onClose }: BudgetDialogProps): ReactNode {
  const t = useMessages();
  const before = edited !== null && "scope" in edited ? edited : null;
  return (
    <Modal
      open={edited !== null}
      onClose={onClose}
      title={before === null ? t.budgets.addTitle : t.budgets.editTitle}
      description={
        before === null
          ? undefined
          : `${t.budgets.kinds[before.scope.kind]} ${before.scope.name}, ${t.budgets.resets[before.reset]}`
      }
      size="small"
    >
      {edited !== null && (
        <BudgetForm before={before} first={"scope" in edited ? draftOfBudget(edited) : edited} onClose={onClose} />
      )}
    </Modal>
  );
}

interface BudgetFormProps {
  readonly before: BudgetView | null;
  /** Initial values of the fields. */
  readonly first: BudgetDraft;
  readonly onClose: () => void;
}

function BudgetForm({ before, first, onClose }: BudgetFormProps): ReactNode {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const [draft, setDraft] = useState(first);
  const [invalid, setInvalid] = useState<ReadonlySet<BudgetField>>(NONE);
  const form = useFocusInvalid(Object.fromEntries([...invalid].map((field) => [field, true])));
  const { busy, run } = useBusy();
  const change = (part: Partial<typeof draft>): void => {
    setDraft({ ...draft, ...part });
    setInvalid(NONE);
  };
  const submit = async (): Promise<void> => {
    const read = readBudget(draft);
    if (!("scope" in read)) return setInvalid(read);
    const done = await run(async () => {
      await client.call("setBudget", read);
      await cache.invalidateQueries({ queryKey: [queryNames.budgets] });
    });
    if (!done) return;
    onClose();
    notify.confirm(t.budgets.wasSet(read.scope.name));
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) void submit();
  };
  return (
    <form ref={form} onSubmit={onSubmit} noValidate>
      <div className="grid grid-cols-2 gap-x-3 gap-y-3.5 px-4 pt-3">
        {before === null && <ScopeFields draft={draft} invalid={invalid} onChange={change} />}
        <TextField
          label={t.budgets.amount}
          inputMode="decimal"
          value={draft.amount}
          error={invalid.has("amount") ? t.budgets.amountInvalid : undefined}
          onChange={(event) => change({ amount: event.target.value })}
        />
        {before === null && (
          <SelectField
            label={t.budgets.reset}
            value={draft.reset}
            choices={budgetResetSchema.options.map((id) => ({ id, label: t.budgets.resets[id] }))}
            onChange={(reset) => change({ reset })}
          />
        )}
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {t.budgets.save}
        </Button>
      </ModalFooter>
    </form>
  );
}

const NONE: ReadonlySet<BudgetField> = new Set();

interface ScopeFieldsProps {
  readonly draft: BudgetDraft;
  readonly invalid: ReadonlySet<BudgetField>;
  readonly onChange: (part: Partial<BudgetDraft>) => void;
}

/** Scope of the budget, with suggestions: the names that cost something this month, then all apps with a name. */
function ScopeFields({ draft, invalid, onChange }: ScopeFieldsProps): ReactNode {
  const t = useMessages();
  const suggestions = useId();
  const spenders = useSpenders(draft.kind);
  const names = draft.kind === "client" ? new Set([...spenders, ...APPS.map(({ name }) => name)]) : spenders;
  return (
    <>
      <SelectField
        className="col-span-2"
        label={t.budgets.kind}
        value={draft.kind}
        choices={scopeKindSchema.options.map((id) => ({ id, label: t.budgets.kinds[id] }))}
        onChange={(kind) => onChange({ kind })}
      />
      <div className="col-span-2">
        <TextField
          label={t.budgets.name}
          placeholder={t.budgets.names[draft.kind]}
          help={t.budgets.nameHelp[draft.kind]}
          list={suggestions}
          value={draft.name}
          error={invalid.has("name") ? t.budgets.nameInvalid : undefined}
          onChange={(event) => onChange({ name: event.target.value })}
          required
        />
        <datalist id={suggestions}>
          {[...names].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </datalist>
      </div>
    </>
  );
}
