import { useState, type ReactNode } from "react";
import { FilterChip } from "../../components/ui/chip.tsx";
import { DaysDialog } from "../../components/ui/days-dialog.tsx";
import { useSpeech } from "../../lib/i18n.tsx";
import { findDay, momentWords, ownZone, UTC } from "../../lib/moment-words.ts";
import { replaceParams } from "../../lib/router.ts";
import { agents, findDays, groupings, ranges, shownIn, USUAL_RANGE } from "./history-address.ts";

export interface HistoryFiltersProps {
  readonly params: URLSearchParams;
  /** Whether usage of more than one agent is imported. */
  readonly several: boolean;
}

/** Which time is shown, of whom and by what; all of it lives in the address. */
export function HistoryFilters({ params, several }: HistoryFiltersProps): ReactNode {
  const { t, language } = useSpeech();
  const [choosing, setChoosing] = useState(false);
  const { range, by, agent } = shownIn(params);
  const days = findDays(params);
  const dayWords = (day: string): string => momentWords(UTC, language).day(Date.parse(`${day}T00:00:00Z`));
  const none = { range: null, from: null, to: null };
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-6 gap-y-2">
      <fieldset className="flex flex-wrap items-center gap-1">
        <legend className="sr-only">{t.history.period}</legend>
        {ranges.map((one) => (
          <FilterChip
            key={one}
            pressed={range === one}
            onPress={() => replaceParams({ ...none, range: one === USUAL_RANGE ? null : one })}
          >
            {t.history.ranges[one]}
          </FilterChip>
        ))}
        <FilterChip pressed={days !== null} onPress={() => setChoosing(true)}>
          {days === null ? t.history.custom : t.history.between(dayWords(days.since), dayWords(days.until))}
        </FilterChip>
      </fieldset>
      <fieldset className="flex flex-wrap items-center gap-1">
        <legend className="sr-only">{t.history.by}</legend>
        <span aria-hidden className="mr-1 text-meta text-faint">
          {t.history.by}
        </span>
        {groupings.map((one) => (
          <FilterChip
            key={one}
            pressed={by === one}
            onPress={() => replaceParams({ by: one === "model" ? null : one })}
          >
            {t.history.groupings[one]}
          </FilterChip>
        ))}
      </fieldset>
      {several && (
        <fieldset className="flex flex-wrap items-center gap-1">
          <legend className="sr-only">{t.history.agent}</legend>
          {agents.map((one) => (
            <FilterChip
              key={one}
              pressed={agent === one}
              onPress={() => replaceParams({ agent: agent === one ? null : one })}
            >
              {t.history.agents[one]}
            </FilterChip>
          ))}
        </fieldset>
      )}
      <DaysDialog
        open={choosing}
        title={t.history.customTitle}
        params={params}
        usual={() => findDay(ownZone(), Date.now())}
        check={({ from, to }) => (findDays(new URLSearchParams({ from, to })) === null ? t.history.invalidDays : null)}
        onClose={() => setChoosing(false)}
      />
    </div>
  );
}
