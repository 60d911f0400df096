import { useMemo, type ReactNode } from "react";
import type { UsageGroup, UsageSeries } from "../../../gateway/contract/usage.ts";
import { useGatewayState } from "../../api/queries.ts";
import type { PlotWriting } from "../../components/plot/plot-model.ts";
import { Plot } from "../../components/plot/plot.tsx";
import { FilterChip } from "../../components/ui/chip.tsx";
import { usdCell } from "../../lib/csv.ts";
import { formatCompact, formatCount, formatDuration, formatMoney } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { latencyPlot, spendPlot, tokenPlot } from "./usage-models.ts";
import { utcDay, utcHour, utcHourTick, utcShortDay } from "./utc-words.ts";

export interface UsagePlotsProps {
  readonly usage: UsageSeries;
  readonly by: UsageGroup;
  readonly nameOf: (group: string) => string;
  readonly params: URLSearchParams;
  readonly period: string;
}

/** Spend or requests, tokens, and how long responses took, over the period. */
export function UsagePlots({ usage, by, nameOf, params, period }: UsagePlotsProps): ReactNode {
  const { t, language } = useSpeech();
  const { data: state } = useGatewayState();
  const budget = state?.monthly_budget_nano ?? null;
  const shown = params.get("show") === "requests" ? "requests" : "nano";
  const measured = params.get("time") === "first" ? "first" : "whole";
  const writing = useWriting(usage.bucket, language);
  const spend = useMemo(() => spendPlot(usage, shown, nameOf, budget, t), [usage, shown, nameOf, budget, t]);
  const tokens = useMemo(() => tokenPlot(usage, t), [usage, t]);
  const latency = useMemo(() => latencyPlot(usage, measured, t), [usage, measured, t]);
  return (
    <div className="mb-3 grid gap-3 min-[1080px]:grid-cols-2">
      <div className="min-w-0 min-[1080px]:col-span-2">
        <Plot
          title={`${shown === "nano" ? t.usage.spend : t.usage.requests} ${t.usage.byThis[by]}`}
          {...spend}
          writing={shown === "nano" ? writing.money : writing.count}
          period={period}
          empty={shown === "nano" ? t.usage.noSpend : t.usage.noRequests}
        >
          <Switch
            legend={t.usage.show}
            value={shown}
            choices={[
              ["nano", t.usage.spend],
              ["requests", t.usage.requests],
            ]}
            onChoose={(next) => replaceParams({ show: next === "requests" ? next : null })}
          />
        </Plot>
      </div>
      <Plot title={t.usage.tokens} {...tokens} writing={writing.count} period={period} empty={t.usage.noTokens} />
      <Plot title={t.usage.latency} {...latency} writing={writing.time} period={period} empty={t.usage.noLatency}>
        <Switch
          legend={t.usage.time}
          value={measured}
          choices={[
            ["whole", t.usage.whole],
            ["first", t.usage.first],
          ]}
          onChoose={(next) => replaceParams({ time: next === "first" ? next : null })}
        />
      </Plot>
    </div>
  );
}

interface SwitchProps<Value extends string> {
  readonly legend: string;
  readonly value: Value;
  readonly choices: readonly (readonly [Value, string])[];
  readonly onChoose: (value: Value) => void;
}

function Switch<Value extends string>({ legend, value, choices, onChoose }: SwitchProps<Value>): ReactNode {
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">{legend}</legend>
      {choices.map(([id, label]) => (
        <FilterChip key={id} pressed={value === id} onPress={() => onChoose(id)}>
          {label}
        </FilterChip>
      ))}
    </fieldset>
  );
}

function useWriting(bucket: UsageSeries["bucket"], language: string) {
  return useMemo(() => {
    const hourly = bucket === "hour";
    const moments = {
      tick: (at: number) => (hourly ? utcHourTick(at, language) : utcShortDay(at, language)),
      when: (at: number) => (hourly ? utcHour(at, language) : utcDay(at, language)),
      plainWhen: (at: number) => new Date(at).toISOString(),
    };
    const money: PlotWriting = {
      ...moments,
      scale: formatMoney,
      value: formatMoney,
      plainValue: usdCell,
      plainHead: (label) => `${label} (USD)`,
    };
    const count: PlotWriting = {
      ...moments,
      // Half a request is no request.
      scale: (value) => (Number.isInteger(value) ? formatCompact(value) : ""),
      value: formatCount,
      plainValue: String,
      plainHead: (label) => label,
    };
    const time: PlotWriting = {
      ...moments,
      scale: formatDuration,
      value: formatDuration,
      plainValue: String,
      plainHead: (label) => `${label} (ms)`,
    };
    return { money, count, time };
  }, [bucket, language]);
}
