import { useId, useState, type FormEvent, type ReactNode } from "react";
import type { WhatIfInput } from "../../../gateway/contract/history.ts";
import { useWhatIf } from "../../api/history-queries.ts";
import { Button } from "../../components/ui/button.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { Segmented } from "../../components/ui/segmented.tsx";
import { SkeletonRows } from "../../components/ui/states.tsx";
import { useSentence } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { ownZone } from "../../lib/moment-words.ts";
import { useNow } from "../../lib/now.ts";
import { replaceParams, useRoute } from "../../lib/router.ts";
import { getPeriod, shownIn } from "./history-address.ts";
import { WhatIfTable } from "./what-if-table.tsx";

type Of = NonNullable<WhatIfInput["of"]>;
const all: readonly Of[] = ["both", "imported", "receipts"];

/** Estimate for the same tokens at other models' prices: one model for all, and one in the place of each. */
export function WhatIfPanel({ models }: { readonly models: readonly string[] }): ReactNode {
  const t = useMessages();
  const words = t.history.whatIf;
  const id = useId();
  const { params } = useRoute();
  const now = useNow();
  const { on } = shownIn(params);
  const [typed, setTyped] = useState(on);
  const [of, setOf] = useState<Of>("both");
  const [instead, setInstead] = useState<Readonly<Record<string, string>>>({});
  const period = getPeriod(params, ownZone(), now);
  const {
    data: answer,
    error,
    isPlaceholderData,
  } = useWhatIf(on === "" ? null : { ...period, of, to: on, models: { ...instead } });
  const sentenceOf = useSentence();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    replaceParams({ on: typed.trim() || null });
  };
  return (
    <section className="panel mb-3" aria-label={words.title}>
      <div className="border-b border-line px-3.5 py-2">
        <h2 className="font-semibold">{words.title}</h2>
        <p className="text-meta text-muted">{words.help}</p>
      </div>
      <form onSubmit={submit} className="flex flex-wrap items-start gap-x-4 gap-y-3 px-3.5 py-3">
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
          {models.map((model) => (
            <option key={model}>{model}</option>
          ))}
        </datalist>
        <Button type="submit" className="mt-6.5">
          {words.calculate}
        </Button>
        <Segmented
          label={words.of}
          value={of}
          choices={all.map((one) => ({ id: one, label: words.ofWhat[one] }))}
          onChange={setOf}
        />
      </form>
      {on !== "" && error === null && (
        <div aria-busy={isPlaceholderData || undefined} className="border-t border-line">
          {answer === undefined ? (
            <SkeletonRows rows={3} />
          ) : (
            <WhatIfTable
              answer={answer}
              list={`${id}-models`}
              onInstead={(model, to) => setInstead({ ...instead, [model]: to === "" ? model : to })}
            />
          )}
        </div>
      )}
    </section>
  );
}
