import { useState, type FormEvent, type ReactNode } from "react";
import { mostUsd, type ModelView, type OwnUnit } from "../../../gateway/contract/model-view.ts";
import { ControlError } from "../../api/client.ts";
import { Button } from "../../components/ui/button.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { TextAreaField } from "../../components/ui/field.tsx";
import { NoticeLine } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useBusy } from "../../components/ui/use-busy.ts";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { pastePrices, readRows, getUnits, withZeros, type PastedPrices, type PriceDrafts } from "./price-rows.ts";
import { useModelActions } from "./use-model-actions.ts";

/** Max rendered rows; a pasted list covers all. */
const MOST_ROWS = 100;

export interface UnpricedDialogProps {
  readonly open: boolean;
  /** Models without a price when it is opened. */
  readonly models: readonly ModelView[];
  readonly onClose: () => void;
}

/** Prices of all unpriced models in one table. */
export function UnpricedDialog({ open, models, onClose }: UnpricedDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal open={open} onClose={onClose} title={t.models.unpricedTitle} description={t.models.priceHelp} size="large">
      {open && <PriceRows models={models} onClose={onClose} />}
    </Modal>
  );
}

function PriceRows({ models: now, onClose }: Omit<UnpricedDialogProps, "open">): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { setPrices } = useModelActions();
  // Rows are fixed when it opens, so that saving one does not remove the input in those below it.
  const [models] = useState(now);
  const [drafts, setDrafts] = useState<PriceDrafts>({});
  const [list, setList] = useState("");
  const [pasted, setPasted] = useState<PastedPrices | null>(null);
  const [invalid, setInvalid] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string | null>(null);
  const [saved, setSaved] = useState(0);
  const { busy, run } = useBusy((error) => {
    if (error instanceof ControlError) setProblem(error.message);
    else notify.showError(error);
  });
  const form = useFocusInvalid({ row: [...invalid][0] });
  const { prices } = readRows(models, drafts);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    const read = readRows(models, drafts);
    setInvalid(read.invalid);
    setProblem(null);
    const wrong = models.find(({ id }) => read.invalid.has(id));
    if (wrong !== undefined) {
      const [unit = "input"] = getUnits(wrong);
      return setProblem(t.models.priceInvalid(formatCount(mostUsd(unit))));
    }
    if (read.prices.length === 0) return setProblem(t.models.priceTooFew);
    void run(() => setPrices(read.prices, setSaved)).then((done) => done && onClose());
  };
  const paste = (text: string): void => {
    setList(text);
    const next = text.trim() === "" ? null : pastePrices(text, models, drafts);
    setPasted(next);
    if (next !== null) setDrafts(next.drafts);
  };
  const edit = (id: string, unit: OwnUnit, text: string): void =>
    setDrafts({ ...drafts, [id]: { ...drafts[id], [unit]: text } });
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <div className="flex flex-col gap-3 px-4 pt-3">
        <TextAreaField
          label={t.models.pasteList}
          help={
            pasted === null
              ? t.models.pasteHelp
              : t.models.pasteFilled(pasted.filled, pasted.unknown.slice(0, 5).join(", "))
          }
          rows={2}
          mono
          value={list}
          onChange={(event) => paste(event.target.value)}
        />
        <ul className="rounded-md border border-line">
          {models.slice(0, MOST_ROWS).map((model) => (
            <Row
              key={model.id}
              model={model}
              draft={drafts[model.id] ?? {}}
              invalid={invalid.has(model.id)}
              onEdit={edit}
            />
          ))}
        </ul>
        {models.length > MOST_ROWS && <p className="text-muted">{t.models.moreUnpriced(models.length - MOST_ROWS)}</p>}
        {problem !== null && (
          <div role="alert">
            <NoticeLine level="danger">{problem}</NoticeLine>
          </div>
        )}
      </div>
      <ModalFooter>
        <Button className="mr-auto" onClick={() => setDrafts(withZeros(models, drafts))}>
          {t.models.allFree}
        </Button>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {busy ? t.models.savingPrices(saved, prices.length) : t.models.savePrices(prices.length)}
        </Button>
      </ModalFooter>
    </form>
  );
}

interface RowProps {
  readonly model: ModelView;
  readonly draft: Readonly<Partial<Record<OwnUnit, string>>>;
  readonly invalid: boolean;
  readonly onEdit: (id: string, unit: OwnUnit, text: string) => void;
}

function Row({ model, draft, invalid, onEdit }: RowProps): ReactNode {
  const t = useMessages();
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-center gap-2 border-b border-line/60 py-1 pr-1 pl-2.5 last:border-0 wide:grid-cols-[minmax(0,1fr)_128px_128px]">
      <code className="truncate font-mono text-meta max-wide:col-span-2" title={model.id}>
        {model.id}
      </code>
      {getUnits(model).map((unit) => (
        <input
          key={unit}
          autoComplete="off"
          spellCheck={false}
          inputMode="decimal"
          aria-label={`${model.id}: ${t.models.priceUnits[unit]}`}
          aria-invalid={invalid || undefined}
          placeholder={t.models.priceUnitsShort[unit]}
          value={draft[unit] ?? ""}
          onChange={(event) => onEdit(model.id, unit, event.target.value)}
          className="numeric h-7 min-w-0 rounded-md border border-line-strong bg-surface px-2 text-right placeholder:text-faint hover:border-faint aria-invalid:border-danger pointer-coarse:h-9"
        />
      ))}
    </li>
  );
}
