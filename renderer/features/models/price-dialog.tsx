import { useState, type FormEvent, type ReactNode } from "react";
import { mostUsd, type ModelView, type OwnUnit } from "../../../gateway/contract/model-view.ts";
import { ControlError } from "../../api/client.ts";
import { Button } from "../../components/ui/button.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { NoticeLine } from "../../components/ui/states.tsx";
import { useNotify, useSentence } from "../../components/ui/toasts.tsx";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { getDraft, getFields, getOwnRates, readPrice } from "./price-draft.ts";
import { shortPrice } from "./price-words.ts";
import { useModelActions } from "./use-model-actions.ts";
import { useBusy } from "../../components/ui/use-busy.ts";

export interface PriceDialogProps {
  readonly model: ModelView | null;
  readonly onClose: () => void;
}

/** Sets, changes or removes the owner's own price of a model. */
export function PriceDialog({ model, onClose }: PriceDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal
      open={model !== null}
      onClose={onClose}
      title={t.models.priceOf(model?.id ?? "")}
      description={t.models.priceHelp}
    >
      {model !== null && <PriceForm key={model.id} model={model} onClose={onClose} />}
    </Modal>
  );
}

function PriceForm({ model, onClose }: { readonly model: ModelView; readonly onClose: () => void }): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const sentenceOf = useSentence();
  const actions = useModelActions();
  // Fields are fixed when the form opens, so that input is not lost when the list is renewed.
  const [fields] = useState(() => getFields(model));
  const [draft, setDraft] = useState(() => getDraft(model.price));
  const [errors, setErrors] = useState<Readonly<Partial<Record<OwnUnit, string>>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const { busy, run } = useBusy((error) => {
    if (error instanceof ControlError) setProblem(sentenceOf(error));
    else notify.showError(error);
  });
  const form = useFocusInvalid(errors);
  const listed = model.list_price;
  const coarse = listed !== null && (listed.tiers.length > 1 || listed.variants.length > 0);

  const apply = async (change: () => Promise<void>): Promise<void> => {
    setProblem(null);
    if (await run(change)) onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    const read = readPrice(draft, fields, getOwnRates(model));
    if (!read.ok)
      return setErrors(
        Object.fromEntries([...read.invalid].map((unit) => [unit, t.models.priceInvalid(formatCount(mostUsd(unit)))])),
      );
    setErrors({});
    if (Object.keys(read.rates).length === 0) return setProblem(t.models.priceTooFew);
    void apply(() => actions.setPrice(model, read.rates));
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <div className="grid grid-cols-2 gap-x-3 gap-y-3.5 px-4 pt-3 max-wide:grid-cols-1">
        {fields.map((unit) => (
          <TextField
            key={unit}
            label={t.models.priceUnits[unit]}
            inputMode="decimal"
            placeholder={t.models.priceEmpty}
            value={draft[unit] ?? ""}
            error={errors[unit]}
            onChange={(event) => setDraft({ ...draft, [unit]: event.target.value })}
          />
        ))}
      </div>
      <div className="flex flex-col gap-2 px-4 pt-3 text-muted empty:hidden">
        {model.own_price && listed !== null && <p>{t.models.listPrice(shortPrice(listed, t))}</p>}
        {coarse && <p>{t.models.priceOneForAll}</p>}
        {problem !== null && (
          <div role="alert">
            <NoticeLine level="danger">{problem}</NoticeLine>
          </div>
        )}
      </div>
      <ModalFooter>
        {model.own_price && (
          <Button className="mr-auto" busy={busy} onClick={() => void apply(() => actions.removePrice(model))}>
            {listed === null ? t.models.priceForget : t.models.priceRemove}
          </Button>
        )}
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {t.models.priceSave}
        </Button>
      </ModalFooter>
    </form>
  );
}
