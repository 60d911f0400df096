import { X } from "lucide-react";
import { useState, type FormEvent, type ReactNode } from "react";
import { aliasNameSchema, type ModelView } from "../../../gateway/contract/model-view.ts";
import { ControlError } from "../../api/client.ts";
import { useModels } from "../../api/queries.ts";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { Modal } from "../../components/ui/dialog.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { useNotify, useSentence } from "../../components/ui/toasts.tsx";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { useModelActions } from "./use-model-actions.ts";
import { useBusy } from "../../components/ui/use-busy.ts";

export interface AliasDialogProps {
  /** Current while the dialog is open; null for none. */
  readonly model: ModelView | null;
  readonly onClose: () => void;
}

/** The owner's own names for a model: each can be removed, a new one added. */
export function AliasDialog({ model, onClose }: AliasDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal
      open={model !== null}
      onClose={onClose}
      title={t.models.aliasesOf(model?.id ?? "")}
      description={t.models.aliasHelp}
    >
      {model !== null && (
        <div className="flex flex-col gap-3 px-4 pt-3 pb-4">
          <NewAlias key={model.id} model={model} />
          <AliasList model={model} />
        </div>
      )}
    </Modal>
  );
}

function NewAlias({ model }: { readonly model: ModelView }): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const sentenceOf = useSentence();
  const actions = useModelActions();
  const { data: models = [] } = useModels();
  const [name, setName] = useState("");
  const [error, setError] = useState<string>();
  const { busy, run } = useBusy((thrown) => {
    if (thrown instanceof ControlError) setError(sentenceOf(thrown));
    else notify.showError(thrown);
  });
  const form = useFocusInvalid({ name: error });
  const typed = name.trim();
  const before = models.find(({ aliases }) => aliases.includes(typed))?.id ?? null;
  const moves = before !== null && before !== model.id;

  const add = async (): Promise<void> => {
    if (!aliasNameSchema.safeParse(typed).success) return setError(t.models.aliasInvalid);
    setError(undefined);
    if (await run(() => actions.setAlias(typed, model.id, before))) setName("");
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) void add();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex items-start gap-2">
      <TextField
        className="grow"
        label={t.models.aliasName}
        placeholder={t.models.aliasPlaceholder}
        mono
        value={name}
        error={error}
        help={moves ? t.models.aliasMoves(typed, before) : undefined}
        onChange={(event) => {
          setName(event.target.value);
          setError(undefined);
        }}
      />
      <Button type="submit" look="primary" busy={busy} className="mt-6 h-8!">
        {t.models.aliasAdd}
      </Button>
    </form>
  );
}

function AliasList({ model }: { readonly model: ModelView }): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { removeAlias } = useModelActions();
  if (model.aliases.length === 0) return <p className="text-muted">{t.models.noAlias}</p>;
  return (
    <ul className="flex flex-col rounded-md border border-line">
      {model.aliases.map((name) => (
        <li key={name} className="flex h-8 items-center gap-2 border-b border-line/60 pr-0.5 pl-2.5 last:border-0">
          <code className="min-w-0 grow truncate font-mono text-meta" title={name}>
            {name}
          </code>
          <IconButton
            label={t.models.aliasRemove(name)}
            onClick={() => void removeAlias(name, model.id).catch(notify.showError)}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
