import { useState, type ReactNode } from "react";
import { FilterChip } from "../../components/ui/chip.tsx";
import { DaysDialog } from "../../components/ui/days-dialog.tsx";
import { useSpeech } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import {
  daysBetween,
  dayStart,
  getGrouping,
  groupings,
  isCompared,
  getPeriod,
  ranges,
  USUAL_RANGE,
  getZone,
} from "./usage-address.ts";
import { findDay, momentWords, ownZone, UTC } from "../../lib/moment-words.ts";

/** Which time is shown and by what, as chips; both live in the address. */
export function UsageFilters({ params }: { readonly params: URLSearchParams }): ReactNode {
  const { t, language } = useSpeech();
  const [choosing, setChoosing] = useState(false);
  const period = getPeriod(params);
  const by = getGrouping(params);
  const own = ownZone();
  const zone = getZone(params, own);
  const today = (): string => findDay(zone, Date.now());
  // A day of the calendar, in whichever zone.
  const dayWords = (day: string): string => momentWords(UTC, language).day(dayStart(day) ?? 0);
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
      <div className="flex flex-wrap items-center gap-1">
        <FilterChip
          pressed={isCompared(params)}
          onPress={() => replaceParams({ compare: isCompared(params) ? "off" : null })}
        >
          {t.usage.compare}
        </FilterChip>
        {own !== UTC && (
          <FilterChip pressed={zone === UTC} onPress={() => replaceParams({ tz: zone === UTC ? null : "utc" })}>
            UTC
          </FilterChip>
        )}
      </div>
      <DaysDialog
        open={choosing}
        title={zone === UTC ? t.usage.customTitle : t.usage.customTitleHere}
        params={params}
        usual={today}
        check={({ from, to }) => (daysBetween(from, to) === null ? t.usage.invalidDays : null)}
        onClose={() => setChoosing(false)}
      />
    </div>
  );
}
