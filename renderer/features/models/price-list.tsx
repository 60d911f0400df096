import type { ReactNode } from "react";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { Cost } from "../../components/ui/figures.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { priceBlocks, priceNotes, shortPrice, sourceInWords } from "./price-words.ts";

/** Every term of a model's price, with its source and date. */
export function PriceList({ model }: { readonly model: ModelView }): ReactNode {
  const t = useMessages();
  if (model.price === null) {
    return (
      <p className="text-muted">
        <Cost nano={null} sandbox={false} />. {t.money.unpricedHelp}
      </p>
    );
  }
  return (
    <>
      {priceBlocks(model.price, t).map(({ condition, lines }, index) => (
        <div key={`${index} ${condition}`} className="border-b border-line/60 py-1 last-of-type:border-0">
          {condition !== "" && <p className="text-meta text-faint">{condition}</p>}
          <dl>
            {lines.map(({ label, words }) => (
              <div key={label} className="flex justify-between gap-3">
                <dt className="text-muted">{label}</dt>
                <dd className="numeric text-right">{words}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
      {priceNotes(model.price, t).map((note) => (
        <p key={note} className="text-meta text-faint">
          {note}
        </p>
      ))}
      <p className="mt-1 text-meta text-faint wrap-anywhere">
        {sourceInWords(model, t)}
        {model.own_price && model.list_price !== null && (
          <span className="block">{t.models.listPrice(shortPrice(model.list_price, t))}</span>
        )}
      </p>
    </>
  );
}
