import { useState, type ReactNode } from "react";
import type { TokenizerRelation, WhatIf, WhatIfRow } from "../../../gateway/contract/history.ts";
import { Count, Money } from "../../components/ui/figures.tsx";
import { formatCount, formatMoney, getPercent } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";

export interface WhatIfTableProps {
  readonly answer: WhatIf;
  /** Id of the list of models that may be typed. */
  readonly list: string;
  /** A model is to have another in its place; empty: none. */
  readonly onInstead: (model: string, to: string) => void;
}

/** Actual cost next to the estimated cost, model by model, with the limits of the estimate. */
export function WhatIfTable({ answer, list, onInstead }: WhatIfTableProps): ReactNode {
  const t = useMessages();
  const words = t.history.whatIf;
  const { rows, nano, what_if_nano: whatIf, tokenizers, complete } = answer;
  if (rows.length === 0) return <p className="px-3.5 py-6 text-center text-muted">{words.empty}</p>;
  const heads = words.columns;
  return (
    <>
      <p className="numeric flex flex-wrap items-baseline gap-x-3 px-3.5 pt-3 pb-1">
        <span className="text-xl font-semibold">
          <Money nano={nano} /> → <Money nano={whatIf} />
        </span>
        <span className="text-muted">{differenceInWords(nano, whatIf, t)}</span>
      </p>
      <p className="px-3.5 pb-2 text-meta text-muted">
        {words.note} {!complete && <span className="text-warning-text">{words.incomplete}</span>}
      </p>
      <div className="overflow-x-auto">
        <table className="w-full min-w-150 text-left">
          <caption className="sr-only">{words.label}</caption>
          <thead className="text-meta text-faint">
            <tr>
              <th className="h-8 px-3.5 font-normal">{heads.model}</th>
              <th className="px-2 font-normal">{heads.on}</th>
              {[heads.requests, heads.tokens, heads.cost, heads.whatIf].map((head) => (
                <th key={head} className="px-2 text-right font-normal last:pr-3.5">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={`${row.of} ${row.model} ${row.to}`} row={row} list={list} onInstead={onInstead} />
            ))}
          </tbody>
          <tfoot className="border-t border-line font-medium">
            <tr>
              <th className="h-9 px-3.5 font-medium" scope="row" colSpan={4}>
                {words.total}
              </th>
              <td className="px-2 text-right">
                <Money nano={nano} />
              </td>
              <td className="px-2 pr-3.5 text-right">
                <Money nano={whatIf} />
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
      {tokenizers.length > 0 && (
        <details className="border-t border-line px-3.5 py-2 text-meta text-muted">
          <summary className="w-fit cursor-default select-none hover:text-text">{words.tokenizersOf}</summary>
          <ul className="pt-1">
            {tokenizers.map((one) => (
              <li key={`${one.from} ${one.to}`}>{tokenizerInWords(one, t)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Row({ row, list, onInstead }: Omit<WhatIfTableProps, "answer"> & { readonly row: WhatIfRow }): ReactNode {
  const t = useMessages();
  const words = t.history.whatIf;
  const [typed, setTyped] = useState(row.to);
  const submit = (): void => {
    if (typed.trim() !== row.to) onInstead(row.model, typed.trim());
  };
  const notes = getNotes(row, t);
  return (
    <>
      <tr>
        <th scope="row" className="h-9 max-w-60 px-3.5 font-normal">
          <span className="block truncate" title={row.model}>
            {row.model}
          </span>
          <span className="block text-meta text-faint">{words.rowOf[row.of]}</span>
        </th>
        <td className="px-2">
          <input
            className="h-7 w-44 rounded-md border border-line bg-surface px-2 font-mono text-meta hover:border-line-strong pointer-coarse:h-9"
            aria-label={words.onFor(row.model)}
            list={list}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={submit}
            onKeyDown={(event) => {
              if (event.key === "Enter") submit();
            }}
          />
        </td>
        <td className="px-2 text-right">
          <Count value={row.requests} />
        </td>
        <td className="px-2 text-right">
          <Count value={row.input_tokens + row.output_tokens} />
        </td>
        <td className="px-2 text-right">
          <Amount nano={row.nano} row={row} />
        </td>
        <td className="px-2 pr-3.5 text-right">
          <Amount nano={row.what_if_nano} row={row} />
        </td>
      </tr>
      {notes.length > 0 && (
        <tr>
          <td colSpan={6} className="px-3.5 pb-1.5 text-meta text-muted">
            {notes.join(" · ")}
          </td>
        </tr>
      )}
    </>
  );
}

function Amount({ nano, row }: { readonly nano: number; readonly row: WhatIfRow }): ReactNode {
  const t = useMessages();
  if (row.unpriced_requests < row.requests) return <Money nano={nano} />;
  return (
    <span className="text-warning-text italic" title={t.money.unpricedHelp}>
      {t.money.unpriced}
    </span>
  );
}

function getNotes({ notes, unpriced_requests: unpriced, too_long: tooLong }: WhatIfRow, t: Messages): string[] {
  const words = t.history.whatIf;
  return [
    ...notes.map((note) => words.notes[note]),
    ...(unpriced > 0 ? [words.unpriced(formatCount(unpriced))] : []),
    ...(tooLong > 0 ? [words.tooLong(formatCount(tooLong))] : []),
  ];
}

/** How much less or more, and what share of what it did cost. */
export function differenceInWords(nano: number, whatIf: number, t: Messages): string {
  const words = t.history.whatIf;
  if (nano === whatIf) return words.same;
  const amount = Math.abs(whatIf - nano);
  const share = nano === 0 ? "–" : `${getPercent(amount, nano).toFixed(0)}%`;
  return (whatIf < nano ? words.less : words.more)(formatMoney(amount), share);
}

export function tokenizerInWords({ from, to, relation, low, high, source }: TokenizerRelation, t: Messages): string {
  const words = t.history.whatIf.tokenizers;
  if (relation === "ratio") return words.ratio(from, to, String(low), String(high), source ?? "");
  return words[relation](from, to);
}
