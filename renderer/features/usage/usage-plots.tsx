import { useMemo, useState, type ReactNode } from "react";
import type { UsageGroup, UsageSeries } from "../../../gateway/contract/usage.ts";
import { useGatewayState } from "../../api/queries.ts";
import type { PlotOpening } from "../../components/plot/plot-canvas.tsx";
import { PlotCursor, SharedCursor } from "../../components/plot/plot-cursor.ts";
import type { PlotWriting } from "../../components/plot/plot-model.ts";
import { Plot } from "../../components/plot/plot.tsx";
import { FilterChip } from "../../components/ui/chip.tsx";
import { ChoiceChip } from "../../components/ui/choice-chip.tsx";
import { usdCell } from "../../lib/csv.ts";
import { formatCompact, formatCount, formatDuration, formatMoney } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { navigate, replaceParams } from "../../lib/router.ts";
import { getTimedKind, timedKinds, type Requests } from "./usage-address.ts";
import type { MomentWords } from "../../lib/moment-words.ts";
import { groupOfSeries, latencyPlot, spendPlot, tokenPlot, type Before, type SpendShown } from "./usage-models.ts";

export interface UsagePlotsProps {
  readonly usage: UsageSeries;
  readonly by: UsageGroup;
  readonly nameOf: (group: string) => string;
  readonly params: URLSearchParams;
  readonly requests: Requests | null;
  /** Whether any of it has receipts. */
  readonly isCounted: boolean;
  readonly period: string;
  readonly before: Before;
  readonly words: MomentWords;
}

/** Returns spend, or requests if the address has it or nothing used has a price. */
export function getShown(params: URLSearchParams, { total }: UsageSeries): SpendShown {
  const requested = params.get("show");
  if (requested === "requests" || requested === "spend") return requested === "spend" ? "nano" : requested;
  return getUsual(total);
}

const getUsual = ({ nano, unpriced_requests: unpriced }: UsageSeries["total"]): SpendShown =>
  nano === 0 && unpriced > 0 ? "requests" : "nano";

/** Spend or requests, tokens, and how long responses took, over the period. */
export function UsagePlots(props: UsagePlotsProps): ReactNode {
  const { usage, by, nameOf, params, requests, isCounted, period, before, words } = props;
  const { t } = useSpeech();
  const { data: state } = useGatewayState();
  // Budgets count everything with a receipt.
  const budget = requests === null ? null : (state?.monthly_budget_nano ?? null);
  const shown = getShown(params, usage);
  const timed = getTimedKind(params);
  const measured = params.get("time") === "first" ? "first" : "whole";
  const writing = useWriting(usage.bucket, words);
  const spend = useMemo(
    () => spendPlot(usage, shown, nameOf, budget, t, before),
    [usage, shown, nameOf, budget, t, before],
  );
  const tokens = useMemo(() => tokenPlot(usage, t, before), [usage, t, before]);
  const latency = useMemo(() => latencyPlot(usage, measured, t, before), [usage, measured, t, before]);
  const [cursor] = useState(() => new PlotCursor());
  const opening = useOpening(usage, requests, nameOf);
  return (
    <SharedCursor value={cursor}>
      <div className="mb-3 grid gap-3 min-[1080px]:grid-cols-2">
        <div className="min-w-0 min-[1080px]:col-span-2">
          <Plot
            title={t.usage.figureBy(shown === "nano" ? t.usage.spend : t.usage.requests, t.usage.byThis[by])}
            {...spend}
            writing={shown === "nano" ? writing.money : writing.count}
            period={period}
            empty={shown === "nano" ? t.usage.noSpend : t.usage.noRequests}
            {...(opening && { opening })}
          >
            <Switch
              legend={t.usage.show}
              value={shown}
              choices={[
                ["nano", t.usage.spend],
                ["requests", t.usage.requests],
              ]}
              onChoose={(next) =>
                replaceParams({
                  show: next === getUsual(usage.total) ? null : next === "nano" ? "spend" : next,
                })
              }
            />
          </Plot>
        </div>
        <div className={`min-w-0 ${isCounted ? "" : "min-[1080px]:col-span-2"}`}>
          <Plot
            title={t.usage.tokens}
            {...tokens}
            writing={writing.count}
            period={period}
            empty={t.usage.noTokens}
            {...(opening && { opening })}
          />
        </div>
        {isCounted && (
          <Plot
            title={t.usage.latency}
            {...latency}
            writing={writing.time}
            period={period}
            empty={t.usage.noLatency}
            {...(opening && { opening })}
          >
            <ChoiceChip
              label={t.usage.timed}
              chosen={timed === undefined ? null : t.usage.timedKinds[timed]}
              value={timed ?? "chat"}
              choices={timedKinds.map((id) => ({ id, label: t.usage.timedKinds[id] }))}
              onChoose={(id) => replaceParams({ timed: id === "chat" ? null : id })}
              onRemove={() => replaceParams({ timed: null })}
            />
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
        )}
      </div>
    </SharedCursor>
  );
}

/** A bar opens its requests, filtered by its group if it has one. */
function useOpening(
  usage: UsageSeries,
  requests: Requests | null,
  nameOf: (group: string) => string,
): PlotOpening | null {
  const t = useMessages();
  return useMemo(
    () =>
      requests && {
        open(place, series) {
          const since = usage.buckets[place]?.at ?? usage.from;
          const until = usage.buckets[place + 1]?.at ?? usage.to;
          navigate("requests", requests(groupOfSeries(series), { since, until }));
        },
        label(series) {
          const group = groupOfSeries(series);
          return group === null || group === "" ? t.plot.openRequests : t.plot.openRequestsOf(nameOf(group));
        },
      },
    [usage, requests, nameOf, t],
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

function useWriting(bucket: UsageSeries["bucket"], words: MomentWords) {
  return useMemo(() => {
    const hourly = bucket === "hour";
    const moments = {
      tick: (at: number) => (hourly ? words.hourTick(at) : words.shortDay(at)),
      when: (at: number) => (hourly ? words.hour(at) : words.day(at)),
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
  }, [bucket, words]);
}
