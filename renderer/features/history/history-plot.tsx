import { useMemo, useState, type ReactNode } from "react";
import type { HistoryUsage } from "../../../gateway/contract/history.ts";
import type { PlotWriting } from "../../components/plot/plot-model.ts";
import { Plot } from "../../components/plot/plot.tsx";
import { FilterChip } from "../../components/ui/chip.tsx";
import { usdCell } from "../../lib/csv.ts";
import { formatCompact, formatCount, formatMoney } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { momentWords, UTC } from "../../lib/moment-words.ts";

type Shown = "nano" | "tokens";

const DAY_MS = 86_400_000;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const getAt = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Returns the values of each model for each day of the period; days without usage are empty. */
export function historyPlot({ days, series }: HistoryUsage, shown: Shown, others: string) {
  const [first, last] = [days[0], days.at(-1)];
  const count = first === undefined || last === undefined ? 0 : (getAt(last) - getAt(first)) / DAY_MS + 1;
  const at = Array.from({ length: count }, (_, index) => getAt(first ?? "") + index * DAY_MS);
  const places = new Map(days.map((day, place) => [getAt(day), place]));
  const shownSeries = series
    .filter((one) => one[shown].some((value) => value > 0))
    .map((one) => ({
      id: one.model === null ? "rest" : `model ${one.model}`,
      label: one.model ?? others,
      values: at.map((moment) => one[shown][places.get(moment) ?? -1] ?? 0),
      rest: one.model === null,
    }));
  const whole = shownSeries.map(({ values }) => sum(values));
  return { model: { kind: "bars" as const, at, series: shownSeries }, whole: [...whole, sum(whole)] };
}

/** Cost by use, or tokens, by model and day. */
export function HistoryPlot({ usage }: { readonly usage: HistoryUsage }): ReactNode {
  const { t, language } = useSpeech();
  const [asked, setAsked] = useState<Shown | null>(null);
  const shown = asked ?? (usage.total.nano > 0 ? "nano" : "tokens");
  const plot = useMemo(() => historyPlot(usage, shown, t.history.others), [usage, shown, t]);
  // The days are those of a calendar, in whichever zone they were counted.
  const words = useMemo(() => momentWords(UTC, language), [language]);
  const writing = useMemo((): PlotWriting => {
    const money = shown === "nano";
    return {
      tick: words.shortDay,
      when: words.day,
      plainWhen: (at) => new Date(at).toISOString().slice(0, 10),
      scale: money ? formatMoney : (value) => (Number.isInteger(value) ? formatCompact(value) : ""),
      value: money ? formatMoney : formatCount,
      plainValue: money ? usdCell : String,
      plainHead: (label) => (money ? `${label} (USD)` : label),
    };
  }, [shown, words]);
  const { at } = plot.model;
  const period = t.history.between(words.day(at[0] ?? 0), words.day(at.at(-1) ?? 0));
  return (
    <div className="mb-3">
      <Plot
        title={shown === "nano" ? t.history.plot.cost : t.history.plot.tokens}
        {...plot}
        writing={writing}
        period={period}
        empty={t.history.nothing}
      >
        <fieldset className="flex gap-1">
          <legend className="sr-only">{t.history.show}</legend>
          {(["nano", "tokens"] as const).map((one) => (
            <FilterChip key={one} pressed={shown === one} onPress={() => setAsked(one)}>
              {one === "nano" ? t.history.cost : t.history.tokens}
            </FilterChip>
          ))}
        </fieldset>
      </Plot>
    </div>
  );
}
