import { useState, type ReactNode } from "react";
import { FilterChip } from "../../components/ui/chip.tsx";
import { DaysDialog } from "../../components/ui/days-dialog.tsx";
import { useSpeech } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { daysBetween, dayStart, groupingOf, groupings, periodOf, ranges, USUAL_RANGE } from "./usage-address.ts";
import { utcDay } from "./utc-words.ts";

const today = (): string => new Date().toISOString().slice(0, 10);

/** Which time is shown and by what, as chips; both live in the address. */
export function UsageFilters({ params }: { readonly params: URLSearchParams }): ReactNode {
  const { t, language } = useSpeech();
  const [choosing, setChoosing] = useState(false);
  const period = periodOf(params);
  const by = groupingOf(params);
  const dayWords = (day: string): string => utcDay(dayStart(day) ?? 0, language);
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-6 gap-y-2">
      <fieldset className="flex flex-wrap items-center gap-1">
        <legend className="sr-only">{t.usage.period}</legend>
        {ranges.map((range) => (
          <FilterChip
            key={range}
            pressed={"range" in period && period.range === range}
            onPress={() => replaceParams({ range: range === USUAL_RANGE ? null : range, from: null, to: null })}
          >
            {t.usage.ranges[range]}
          </FilterChip>
        ))}
        <FilterChip pressed={"since" in period} onPress={() => setChoosing(true)}>
          {"since" in period ? t.usage.between(dayWords(period.since), dayWords(period.until)) : t.usage.custom}
        </FilterChip>
      </fieldset>
      <fieldset className="flex flex-wrap items-center gap-1">
        <legend className="sr-only">{t.usage.by}</legend>
        <span aria-hidden className="mr-1 text-meta text-faint">
          {t.usage.by}
        </span>
        {groupings.map((one) => (
          <FilterChip
            key={one}
            pressed={by === one}
            onPress={() => replaceParams({ by: one === "model" ? null : one })}
          >
            {t.usage.groupings[one]}
          </FilterChip>
        ))}
      </fieldset>
      <DaysDialog
        open={choosing}
        title={t.usage.customTitle}
        params={params}
        usual={today}
        check={({ from, to }) => (daysBetween(from, to) === null ? t.usage.invalidDays : null)}
        onClose={() => setChoosing(false)}
      />
    </div>
  );
}
