import { useState, type ReactNode } from "react";
import type { UsageGroup } from "../../../gateway/contract/usage.ts";
import { ActiveFilter, FilterChip } from "../../components/ui/chip.tsx";
import { DaysDialog } from "../../components/ui/days-dialog.tsx";
import { useSpeech } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import {
  daysBetween,
  dayStart,
  getFilters,
  getGrouping,
  getSource,
  groupings,
  isComparable,
  isCompared,
  getPeriod,
  ranges,
  sources,
  USUAL_RANGE,
  getZone,
} from "./usage-address.ts";
import { findDay, momentWords, ownZone, UTC } from "../../lib/moment-words.ts";

export interface UsageFiltersProps {
  readonly params: URLSearchParams;
  readonly nameOf: (by: UsageGroup, group: string) => string;
}

/** Source, time, group and filters as chips; all of it lives in the address. */
export function UsageFilters({ params, nameOf }: UsageFiltersProps): ReactNode {
  const { t, language } = useSpeech();
  const [choosing, setChoosing] = useState(false);
  const period = getPeriod(params);
  const by = getGrouping(params);
  const source = getSource(params);
  const filters = getFilters(params);
  const own = ownZone();
  const zone = getZone(params, own);
  const today = (): string => findDay(zone, Date.now());
  // A day of the calendar, in whichever zone.
  const dayWords = (day: string): string => momentWords(UTC, language).day(dayStart(day) ?? 0);
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-6 gap-y-2">
      <fieldset className="flex flex-wrap items-center gap-1">
        <legend className="sr-only">{t.usage.source}</legend>
        {sources.map((one) => (
          <FilterChip
            key={one}
            pressed={source === one}
            onPress={() => replaceParams({ source: one === "postern" ? null : one })}
          >
            {t.usage.sources[one]}
          </FilterChip>
        ))}
      </fieldset>
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
        {isComparable(params) && (
          <FilterChip
            pressed={isCompared(params)}
            onPress={() => replaceParams({ compare: isCompared(params) ? "off" : null })}
          >
            {t.usage.compare}
          </FilterChip>
        )}
        {own !== UTC && (
          <FilterChip pressed={zone === UTC} onPress={() => replaceParams({ tz: zone === UTC ? null : "utc" })}>
            UTC
          </FilterChip>
        )}
      </div>
      {groupings.map((one) => {
        const group = filters[one];
        if (group === undefined) return null;
        const label = `${t.usage.groupings[one]}: ${nameOf(one, group)}`;
        return <ActiveFilter key={one} label={label} onRemove={() => replaceParams({ [one]: null })} />;
      })}
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
