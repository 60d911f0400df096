import type { ReactNode } from "react";
import { cacheSavings } from "../../../gateway/contract/cache-savings.ts";
import type { Receipt, ReceiptTerm } from "../../../gateway/contract/receipt.ts";
import { soldByPiece } from "../../../gateway/contract/units.ts";
import { formatCount, formatMoney, formatRate, getPercent } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";
import { routeHash } from "../../lib/router.ts";
import { buttonClass } from "../ui/button.tsx";
import { CacheSaved, Cost } from "../ui/figures.tsx";

export interface ReceiptTableProps {
  readonly receipt: Receipt;
}

/** A receipt by terms: units, prices, and the source of each price. */
export function ReceiptTable({ receipt }: ReceiptTableProps): ReactNode {
  const t = useMessages();
  if (receipt.terms.length === 0) {
    return (
      <>
        <p className="text-muted">{receipt.nano === null ? t.money.unpricedHelp : t.requests.noTerms}</p>
        <SetPrice receipt={receipt} />
      </>
    );
  }
  // Some units of a request without a cost may have a price all the same.
  const isUnpriced = (term: ReceiptTerm): boolean => receipt.nano === null && term.nano_per_million === 0;
  return (
    <>
      <table className="numeric w-full border-collapse [&_td+td]:pl-4 [&_th+th]:pl-4">
        <thead>
          <tr className="h-7 border-b border-line text-meta text-faint">
            <th className="text-left font-normal">{t.requests.unit}</th>
            <th className="text-right font-normal">{t.requests.quantity}</th>
            <th className="text-right font-normal max-wide:hidden">{t.requests.price}</th>
            <th className="text-right font-normal">{t.requests.amount}</th>
          </tr>
        </thead>
        <tbody>
          {receipt.terms.map((term) => (
            <tr key={`${term.unit} ${term.nano_per_million}`} className="h-7">
              <td>{t.requests.units[term.unit]}</td>
              <td className="text-right whitespace-nowrap">{formatCount(term.quantity)}</td>
              <td className="text-right whitespace-nowrap text-muted max-wide:hidden">
                {isUnpriced(term) ? "–" : rateInWords(term, t)}
              </td>
              <td className="text-right whitespace-nowrap">
                {isUnpriced(term) ? "–" : formatMoney(term.nano)}
                {/* Reasons for a higher price. */}
                {receipt.terms.length > 1 && (receipt.nano ?? 0) > 0 && (
                  <span className="ml-2 inline-block w-9 text-meta text-faint">
                    {Math.round(getPercent(term.nano, receipt.nano ?? 0))}%
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="numeric flex h-8 items-center justify-between border-t border-line font-medium">
        {t.requests.total}
        <Cost nano={receipt.nano} sandbox={receipt.sandbox} />
      </p>
      <SetPrice receipt={receipt} />
      <p className="text-meta text-muted empty:hidden">
        <CacheSaved nano={cacheSavings(receipt)} />
      </p>
      <p className="mt-1 text-meta text-faint">
        {receipt.nano === null && t.money.unpricedHelp}
        {receipt.price !== null && t.requests.priceSource(receipt.price.source, receipt.price.as_of)}{" "}
        {receipt.estimated && t.requests.estimated} {receipt.sandbox && t.money.sandboxHelp}
      </p>
    </>
  );
}

/** Link to set a price, for an unpriced receipt. */
function SetPrice({ receipt: { nano, model } }: ReceiptTableProps): ReactNode {
  const t = useMessages();
  if (nano !== null) return null;
  return (
    <a href={routeHash("models", { model, price: "set" })} className={`${buttonClass("plain")} mt-1 no-underline`}>
      {t.requestLog.setPrice}
    </a>
  );
}

/** Images, seconds and searches are sold one by one, tokens and characters by the million. */
function rateInWords({ unit, nano_per_million }: ReceiptTerm, { requests: { rates } }: Messages): string {
  if (soldByPiece(unit)) return rates.each(formatRate(nano_per_million, 1));
  return rates.million(formatRate(nano_per_million, 1_000_000));
}
