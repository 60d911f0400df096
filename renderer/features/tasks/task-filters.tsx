import { useState, type ReactNode } from "react";
import { useKeys, useModels } from "../../api/queries.ts";
import { ChoiceChip } from "../../components/ui/choice-chip.tsx";
import { DaysDialog } from "../../components/ui/days-dialog.tsx";
import { daysInWords } from "../../lib/days-in-words.ts";
import { formatMoney } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { areOpenDays, getNano } from "../../lib/typed.ts";
import type { Messages } from "../../locales/messages.ts";
import { AmountDialog } from "./amount-dialog.tsx";
import {
  rangeOf,
  parseMinCost,
  rangeNames,
  sortAddress,
  sortColumns,
  getSorting,
  taskStatuses,
} from "./task-filter.ts";

/** Amounts in USD that are offered without typing. */
const AMOUNTS = ["0.01", "0.10", "1", "10"] as const;

export interface TaskFiltersProps {
  readonly params: URLSearchParams;
  readonly keyName: (id: string) => string;
}

/** Filters of the list, as chips; each of them lives in the address. */
export function TaskFilters({ params, keyName }: TaskFiltersProps): ReactNode {
  const { t, language } = useSpeech();
  const { data: keys = [] } = useKeys();
  const { data: models = [] } = useModels();
  const [typing, setTyping] = useState<"days" | "amount" | null>(null);

  const status = taskStatuses.find((each) => each === params.get("status"));
  const [model, key] = [params.get("model") ?? "", params.get("key") ?? ""];
  const video = models.filter(({ capabilities }) => capabilities.includes("video")).map(({ id }) => id);
  const least = parseMinCost(params.get("min"));
  const { by, order } = getSorting(params);
  const choose = (name: string) => (value: string) => replaceParams({ [name]: value });

  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-1 px-1.5 pb-1.5">
      <legend className="sr-only">{t.tasks.filters}</legend>
      <ChoiceChip
        label={t.tasks.status}
        chosen={status === undefined ? null : t.tasks.statuses[status]}
        value={status ?? ""}
        choices={[
          { id: "", label: t.tasks.any.status },
          ...taskStatuses.map((id) => ({ id, label: t.tasks.statuses[id] })),
        ]}
        onChoose={choose("status")}
        onRemove={() => replaceParams({ status: null })}
      />
      <ChoiceChip
        label={t.tasks.model}
        chosen={model === "" ? null : model}
        value={model}
        choices={[{ id: "", label: t.tasks.any.model }, ...nameOptions(withChosen(video, model), (id) => id)]}
        onChoose={choose("model")}
        onRemove={() => replaceParams({ model: null })}
      />
      <ChoiceChip
        label={t.tasks.key}
        chosen={key === "" ? null : keyName(key)}
        value={key}
        choices={[
          { id: "", label: t.tasks.any.key },
          ...nameOptions(
            withChosen(
              keys.map(({ id }) => id),
              key,
            ),
            keyName,
          ),
        ]}
        onChoose={choose("key")}
        onRemove={() => replaceParams({ key: null })}
      />
      <ChoiceChip
        label={t.tasks.range}
        chosen={rangeInWords(params, t, language)}
        value={params.get("range") ?? ""}
        choices={[{ id: "", label: t.tasks.any.range }, ...rangeNames.map((id) => ({ id, label: t.tasks.ranges[id] }))]}
        onChoose={(range) => replaceParams({ range, from: null, to: null })}
        onRemove={() => replaceParams({ range: null, from: null, to: null })}
        other={{ label: t.tasks.custom, onSelect: () => setTyping("days") }}
      />
      <ChoiceChip
        label={t.tasks.cost}
        chosen={least === null ? null : t.tasks.atLeast(formatMoney(least))}
        value={params.get("min") ?? ""}
        choices={[
          { id: "", label: t.tasks.any.min },
          ...AMOUNTS.map((id) => ({ id, label: t.tasks.atLeast(formatMoney(getNano(id) ?? 0)) })),
        ]}
        onChoose={choose("min")}
        onRemove={() => replaceParams({ min: null })}
        other={{ label: t.tasks.otherAmount, onSelect: () => setTyping("amount") }}
      />
      <span className="ml-auto inline-flex max-w-full min-w-0">
        <ChoiceChip
          label={t.tasks.sort}
          chosen={t.tasks.sorts[`${by} ${order}`]}
          value={`${by} ${order}`}
          choices={sortColumns.flatMap((column) =>
            (["desc", "asc"] as const).map((way) => ({
              id: `${column} ${way}`,
              label: t.tasks.sorts[`${column} ${way}`],
            })),
          )}
          onChoose={(value) => {
            const [column, way] = value.split(" ");
            const found = sortColumns.find((each) => each === column);
            if (found !== undefined) replaceParams(sortAddress(found, way === "asc" ? "asc" : "desc"));
          }}
        />
      </span>
      <DaysDialog
        open={typing === "days"}
        title={t.tasks.customTitle}
        params={params}
        check={({ from, to }) => (areOpenDays(from, to) ? null : t.table.days.invalid)}
        onClose={() => setTyping(null)}
      />
      <AmountDialog open={typing === "amount"} params={params} onClose={() => setTyping(null)} />
    </fieldset>
  );
}

const nameOptions = (ids: readonly string[], nameOf: (id: string) => string) =>
  ids.map((id) => ({ id, label: nameOf(id) }));

/** The address may contain a removed model or key. */
const withChosen = (ids: readonly string[], chosen: string): readonly string[] =>
  chosen === "" || ids.includes(chosen) ? ids : [...ids, chosen];

function rangeInWords(params: URLSearchParams, t: Messages, language: string): string | null {
  const range = rangeOf(params.get("range") ?? "");
  if (range !== undefined) return t.tasks.ranges[range];
  return daysInWords(params, t, language);
}
