import { Plus } from "lucide-react";
import type { FormEvent, ReactNode } from "react";
import { ModelPicker } from "../../components/model-picker/model-picker.tsx";
import { Button } from "../../components/ui/button.tsx";
import { FilterChip } from "../../components/ui/chip.tsx";
import { ModalFooter } from "../../components/ui/dialog.tsx";
import { CheckBox } from "../../components/ui/check-box.tsx";
import { SelectField, TextAreaField, TextField } from "../../components/ui/field.tsx";
import { useRoutes } from "../../api/route-queries.ts";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { findModels, type Expiry, type KeyDraft, type KeyField } from "./key-draft.ts";

export interface KeyFormProps {
  readonly draft: KeyDraft;
  readonly onChange: (draft: KeyDraft) => void;
  readonly errors: Readonly<Partial<Record<KeyField, string>>>;
  /** Whether to offer "as it is" among the expiries, for a key that has one. */
  readonly keepsExpiry?: boolean;
  readonly busy: boolean;
  readonly action: string;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
}

/** Name and limits of a key: for a new one and for changing one. */
export function KeyForm({
  draft,
  onChange,
  errors,
  keepsExpiry = false,
  busy,
  action,
  onSubmit,
  onCancel,
}: KeyFormProps): ReactNode {
  const t = useMessages();
  const form = useFocusInvalid(errors);
  const models = findModels(draft.models);
  const edit = (field: keyof KeyDraft) => (event: { readonly target: { readonly value: string } }) =>
    onChange({ ...draft, [field]: event.target.value });
  const expiries: readonly Expiry[] = [
    ...(keepsExpiry ? (["keep"] as const) : []),
    "never",
    "week",
    "month",
    "quarter",
    "date",
  ];
  const leaves = (["limits", "allow", "refuse"] as const).map((id) => ({ id, label: t.keys.leaves[id] }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) onSubmit();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <div className="grid grid-cols-2 gap-x-3 gap-y-3.5 px-4 pt-3">
        <TextField
          className="col-span-2"
          label={t.keys.name}
          placeholder={t.keys.namePlaceholder}
          value={draft.name}
          error={errors.name}
          onChange={edit("name")}
          required
        />
        <TextField
          label={t.keys.limit}
          placeholder={t.keys.limitPlaceholder}
          inputMode="decimal"
          value={draft.limit}
          error={errors.limit_usd}
          onChange={edit("limit")}
        />
        <SelectField
          label={t.keys.reset}
          value={draft.reset}
          choices={(["never", "daily", "monthly"] as const).map((id) => ({ id, label: t.keys.resets[id] }))}
          onChange={(reset) => onChange({ ...draft, reset })}
        />
        <div className="col-span-2">
          <TextField
            label={t.keys.models}
            placeholder={t.keys.modelsPlaceholder}
            help={t.keys.modelsHelp}
            mono
            value={draft.models}
            error={errors.models}
            onChange={edit("models")}
          />
          <RouteChips models={models} onChange={(ids) => onChange({ ...draft, models: ids.join(", ") })} />
          <ModelPicker
            label={t.keys.addModel}
            value=""
            except={models}
            onChange={(id) => onChange({ ...draft, models: [...models, id].join(", ") })}
            trigger={
              <Button look="quiet" className="-ml-2.5 mt-1" icon={<Plus size={14} aria-hidden />}>
                {t.keys.addModel}
              </Button>
            }
          />
        </div>
        <TextField
          label={t.keys.rpm}
          placeholder={t.keys.unlimited}
          inputMode="numeric"
          value={draft.rpm}
          error={errors.rpm}
          onChange={edit("rpm")}
        />
        <TextField
          label={t.keys.concurrency}
          placeholder={t.keys.unlimited}
          inputMode="numeric"
          value={draft.concurrency}
          error={errors.concurrency}
          onChange={edit("concurrency")}
        />
        <SelectField
          label={t.keys.hostedTools}
          help={t.keys.hostedToolsHelp}
          value={draft.hostedTools}
          choices={leaves}
          onChange={(hostedTools) => onChange({ ...draft, hostedTools })}
        />
        <SelectField
          label={t.keys.storedObjects}
          help={t.keys.storedObjectsHelp}
          value={draft.storedObjects}
          choices={leaves}
          onChange={(storedObjects) => onChange({ ...draft, storedObjects })}
        />
        <SelectField
          label={t.keys.expiry}
          value={draft.expiry}
          choices={expiries.map((id) => ({ id, label: t.keys.expiries[id] }))}
          onChange={(expiry) => onChange({ ...draft, expiry })}
        />
        {draft.expiry === "date" && (
          <TextField
            type="date"
            label={t.keys.expiryDate}
            value={draft.date}
            error={errors.expires_at}
            onChange={edit("date")}
          />
        )}
        <div className="col-span-2">
          <CheckBox
            label={t.keys.maskSecrets}
            help={t.keys.maskSecretsHelp}
            checked={draft.masksSecrets}
            onChange={(masksSecrets) => onChange({ ...draft, masksSecrets })}
          />
        </div>
        {draft.masksSecrets && (
          <TextAreaField
            className="col-span-2"
            label={t.keys.maskWords}
            help={t.keys.maskWordsHelp}
            optional
            mono
            rows={3}
            value={draft.maskWords}
            error={errors.mask_words}
            onChange={edit("maskWords")}
          />
        )}
        <div className="col-span-2">
          <CheckBox
            label={t.keys.ollamaDefault}
            help={t.keys.ollamaDefaultHelp}
            checked={draft.ollamaDefault}
            onChange={(ollamaDefault) => onChange({ ...draft, ollamaDefault })}
          />
        </div>
      </div>
      <ModalFooter>
        <Button onClick={onCancel}>{t.app.cancel}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {action}
        </Button>
      </ModalFooter>
    </form>
  );
}

interface RouteChipsProps {
  /** Models that the key may use so far. */
  readonly models: readonly string[];
  readonly onChange: (models: readonly string[]) => void;
}

/** Existing routes, to be allowed by one click: each includes all of its models. */
function RouteChips({ models, onChange }: RouteChipsProps): ReactNode {
  const t = useMessages();
  const { data: routes = [] } = useRoutes();
  if (routes.length === 0) return null;
  return (
    <fieldset className="mt-1.5 flex max-h-20 min-w-0 flex-wrap items-center gap-1 overflow-y-auto">
      <legend className="float-left mr-1.5 text-meta leading-6 text-faint">{t.pages.routes}</legend>
      {routes.map(({ name }) => {
        const isIn = models.includes(name);
        return (
          <FilterChip
            key={name}
            pressed={isIn}
            onPress={() => onChange(isIn ? models.filter((id) => id !== name) : [...models, name])}
          >
            <span className="font-mono">{name}</span>
          </FilterChip>
        );
      })}
    </fieldset>
  );
}
