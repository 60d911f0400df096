import { ArrowDown, ArrowUp, GripVertical, Plus, X } from "lucide-react";
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { useModels } from "../../api/queries.ts";
import { ModelPicker } from "../../components/model-picker/model-picker.tsx";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { formatCompact, formatRate } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";
import { ModelName } from "./model-chips.tsx";
import { moveMember } from "./route-draft.ts";
import { useDrag } from "./use-drag.ts";

const MOST_MODELS = 10;

export interface ChainEditorProps {
  readonly label: string;
  readonly help?: string;
  /** Label of the button that adds one. */
  readonly addLabel: string;
  readonly models: readonly string[];
  /** Ids that cannot be in it: the names of other routes. */
  readonly except: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (models: readonly string[]) => void;
}

/** A chain, from the first that is asked to the last: added by searching, moved by drag, by buttons or by Alt and arrows. */
export function ChainEditor({ label, help, addLabel, models, except, error, onChange }: ChainEditorProps): ReactNode {
  const t = useMessages();
  const id = useId();
  const { data: known } = useModels();
  const list = useRef<HTMLOListElement>(null);
  const [announcement, say] = useState("");
  const move = (from: number, to: number): void => {
    const next = moveMember(models, from, to);
    const model = models[from];
    if (next === models || model === undefined) return;
    const focus = document.activeElement;
    onChange(next);
    say(t.routes.moved(model, to + 1, models.length));
    // A moved control loses the focus; a disabled one cannot keep it.
    requestAnimationFrame(() => {
      if (!(focus instanceof HTMLElement)) return;
      focus.focus();
      if (document.activeElement !== focus)
        list.current?.children[to]?.querySelector<HTMLElement>("button:not(:disabled)")?.focus();
    });
  };
  const drag = useDrag(list, move);
  const onKeyDown = (event: KeyboardEvent, at: number): void => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (!event.altKey || step === 0) return;
    event.preventDefault();
    move(at, at + step);
  };
  const note = error ?? help;
  return (
    <fieldset aria-labelledby={id} className="min-w-0">
      <div className="mb-1 flex min-h-5 flex-wrap items-baseline gap-x-2">
        <span id={id} className="font-medium">
          {label}
        </span>
        {models.length > 1 && <span className="text-meta text-faint max-wide:hidden">{t.routes.keys}</span>}
      </div>
      {models.length > 0 && (
        <ol ref={list} className="mb-1.5 flex flex-col rounded-md border border-line bg-surface">
          {models.map((model, at) => (
            <li
              key={model}
              className={`flex min-h-10 items-center gap-1 border-b border-line/60 py-1 pr-1 pl-1 last:border-0 ${
                drag.over === at && drag.from !== at ? "bg-accent-soft" : ""
              } ${drag.from === at ? "opacity-50" : ""}`}
            >
              <IconButton
                label={t.routes.move(model)}
                className="w-5! cursor-grab touch-none text-faint! max-wide:hidden"
                onKeyDown={(event) => onKeyDown(event, at)}
                {...drag.handle(at)}
              >
                <GripVertical size={14} aria-hidden />
              </IconButton>
              <span className="numeric w-4 shrink-0 pr-1 text-right text-meta text-faint">{at + 1}</span>
              <ChainModel id={model} model={known?.find((each) => each.id === model || each.aliases.includes(model))} />
              <span className="flex shrink-0">
                <IconButton
                  label={t.routes.moveUp(model)}
                  disabled={at === 0}
                  onClick={() => move(at, at - 1)}
                  onKeyDown={(event) => onKeyDown(event, at)}
                >
                  <ArrowUp size={14} aria-hidden />
                </IconButton>
                <IconButton
                  label={t.routes.moveDown(model)}
                  disabled={at === models.length - 1}
                  onClick={() => move(at, at + 1)}
                  onKeyDown={(event) => onKeyDown(event, at)}
                >
                  <ArrowDown size={14} aria-hidden />
                </IconButton>
                <IconButton
                  label={t.routes.removeModel(model)}
                  onClick={() => onChange(models.toSpliced(at, 1))}
                  onKeyDown={(event) => onKeyDown(event, at)}
                >
                  <X size={14} aria-hidden />
                </IconButton>
              </span>
            </li>
          ))}
        </ol>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {models.length < MOST_MODELS && (
          <ModelPicker
            label={addLabel}
            value=""
            except={[...models, ...except]}
            onChange={(model) => onChange([...models, model])}
            trigger={
              <Button
                icon={<Plus size={14} aria-hidden />}
                aria-invalid={error === undefined ? undefined : true}
                aria-describedby={note === undefined ? undefined : `${id}-note`}
              >
                {t.routes.addModel}
              </Button>
            }
          />
        )}
        {note !== undefined && (
          <p
            id={`${id}-note`}
            className={`min-w-0 text-meta wrap-anywhere ${error === undefined ? "text-faint" : "text-danger-text"}`}
          >
            {note}
          </p>
        )}
      </div>
      <output className="sr-only">{announcement}</output>
    </fieldset>
  );
}

/** A model's provider, and the facts that decide its place: its price and its context. */
function ChainModel({ id, model }: { readonly id: string; readonly model: ModelView | undefined }): ReactNode {
  const t = useMessages();
  return (
    <span className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-0">
      <span className="flex min-w-0 grow items-center gap-1.5">
        <ModelName id={id} model={model} />
      </span>
      {model?.served === true ? (
        <span className="numeric flex min-w-0 flex-wrap gap-x-3 text-meta text-muted">
          <span title={t.modelPicker.priceHelp} className={model.sandbox ? "striped" : ""}>
            {priceInWords(model, t)}
          </span>
          {model.context_length !== null && <span>{t.routes.context(formatCompact(model.context_length))}</span>}
        </span>
      ) : (
        <span className="shrink-0 text-meta text-warning-text" title={t.routes.unservedHelp}>
          {t.routes.unserved}
        </span>
      )}
    </span>
  );
}

/** Input and output, per million tokens. */
function priceInWords(model: ModelView, t: Messages): string {
  const { input_nano_per_million: input, output_nano_per_million: output } = model;
  if (input === null && output === null) return t.money.unpriced;
  if ((input ?? 0) === 0 && (output ?? 0) === 0) return t.models.free;
  const words = (rate: number | null): string => (rate === null ? "–" : formatRate(rate, 1_000_000));
  return t.routes.perMillion(`${words(input)} / ${words(output)}`);
}
