import { useId, useState, type FormEvent, type ReactNode } from "react";
import type { WhatIf } from "../../../gateway/contract/history.ts";
import { useHistory, useWhatIf } from "../../api/history-queries.ts";
import { Button } from "../../components/ui/button.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { Money } from "../../components/ui/figures.tsx";
import { SkeletonRows } from "../../components/ui/states.tsx";
import { useSentence } from "../../components/ui/toasts.tsx";
import { formatCount, formatMoney, getPercent } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { ownZone } from "../../lib/moment-words.ts";
import { replaceParams } from "../../lib/router.ts";
import type { Messages } from "../../locales/messages.ts";
import { getOther, getRequestQuery } from "./usage-address.ts";

/** Estimate for the same tokens at another model's prices. */
export function WhatIfPanel({ params }: { readonly params: URLSearchParams }): ReactNode {
  const t = useMessages();
  const words = t.history.whatIf;
  const id = useId();
  const on = getOther(params);
  const [typed, setTyped] = useState(on);
  const { data: view } = useHistory();
  const query = on === "" ? null : { ...getRequestQuery(params, ownZone()), to: on };
  const { data: answer, error, isPlaceholderData } = useWhatIf(query);
  const sentenceOf = useSentence();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    replaceParams({ on: typed.trim() || null });
  };
  return (
    <section className="panel mt-3" aria-label={words.title}>
      <div className="border-b border-line px-3.5 py-2">
        <h2 className="font-semibold">{words.title}</h2>
        <p className="text-meta text-muted">{words.help}</p>
      </div>
      <div className="flex flex-wrap items-start gap-x-8 gap-y-3 px-3.5 py-3">
        <form onSubmit={submit} className="flex flex-wrap items-start gap-x-4 gap-y-3">
          <TextField
            mono
            className="w-72 max-wide:w-full"
            label={words.on}
            help={words.onHelp}
            error={on === "" || error === null ? undefined : sentenceOf(error)}
            list={`${id}-models`}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <datalist id={`${id}-models`}>
            {view?.models.map((model) => (
              <option key={model}>{model}</option>
            ))}
          </datalist>
          <Button type="submit" className="wide:mt-6.5">
            {words.calculate}
          </Button>
        </form>
        {on !== "" && error === null && (
          <output aria-busy={isPlaceholderData || undefined} className="block min-w-0 grow basis-80">
            {answer === undefined ? <SkeletonRows rows={1} /> : <Response answer={answer} />}
          </output>
        )}
      </div>
    </section>
  );
}

/** Actual cost next to the estimated cost, with the limits of the estimate. */
function Response({ answer }: { readonly answer: WhatIf }): ReactNode {
  const t = useMessages();
  const words = t.history.whatIf;
  if (answer.rows.length === 0) return <span className="text-muted">{words.empty}</span>;
  return (
    <>
      <span className="numeric flex flex-wrap items-baseline gap-x-3">
        <span className="text-title font-semibold">
          <Money nano={answer.nano} /> → <Money nano={answer.what_if_nano} />
        </span>
        <span className="text-muted">{differenceInWords(answer.nano, answer.what_if_nano, t)}</span>
      </span>
      <span className="block text-meta text-muted">{getNote(answer, t)}</span>
    </>
  );
}

/** Says why the estimate is not exact. */
export function getNote({ rows, unpriced_requests: unpriced, tokenizers, complete }: WhatIf, t: Messages): string {
  const words = t.history.whatIf;
  const tooLong = rows.reduce((sum, row) => sum + row.too_long, 0);
  const notes = new Set(rows.flatMap((row) => row.notes));
  return [
    words.note,
    ...tokenizers.flatMap(({ from, to, low, high, source }) =>
      source === null ? [] : [words.ratio(from, to, String(low), String(high), source)],
    ),
    ...[...notes].map((note) => words.notes[note]),
    ...(unpriced > 0 ? [words.unpriced(formatCount(unpriced))] : []),
    ...(tooLong > 0 ? [words.tooLong(formatCount(tooLong))] : []),
    ...(complete ? [] : [words.incomplete]),
  ].join(words.between);
}

/** Formats the cost difference and its share of the actual cost. */
export function differenceInWords(nano: number, whatIf: number, t: Messages): string {
  const words = t.history.whatIf;
  if (nano === whatIf) return words.same;
  const amount = Math.abs(whatIf - nano);
  const share = nano === 0 ? "–" : `${getPercent(amount, nano).toFixed(0)}%`;
  return (whatIf < nano ? words.less : words.more)(formatMoney(amount), share);
}
