import { useMemo, type ReactNode } from "react";
import type { PlotOpening } from "../../components/plot/plot-canvas.tsx";
import type { PlotModel, PlotWriting } from "../../components/plot/plot-model.ts";
import { Button } from "../../components/ui/button.tsx";
import { Empty } from "../../components/ui/states.tsx";
import { usdCell } from "../../lib/csv.ts";
import { formatCompact, formatCount, formatMoney } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { createPart, usePart } from "../../lib/part.ts";
import { navigate } from "../../lib/router.ts";
import type { ShownFigure } from "./overview-address.ts";
import { FigureChips } from "./range-chips.tsx";
import { getBars, groupOfSeries, type Traffic } from "./traffic.ts";

/** Plots are the heaviest part of the page, and this page is the first one: they are loaded separately. */
const plot = createPart(async () => (await import("../../components/plot/plot.tsx")).Plot, { hasPageWords: false });

const itself = (name: string): string => name;

export interface TrafficPlotProps {
  readonly traffic: Traffic;
  readonly shown: ShownFigure;
}

/** Spend or requests by model over the selected range. */
export function TrafficPlot({ traffic, shown }: TrafficPlotProps): ReactNode {
  const { t, language } = useSpeech();
  const state = usePart(plot);
  const writing = useWriting(traffic, shown, language);
  const opening = useOpening(traffic);
  const { model, whole } = useMemo(() => {
    const series = getBars(traffic, shown, (name) => name || t.overview.noModel, t.overview.others);
    const bars: PlotModel = { kind: "bars", at: traffic.at, series };
    const sums = series.map(({ values }) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0));
    return { model: bars, whole: [...sums, traffic.total[shown]] };
  }, [traffic, shown, t]);
  if (state.status === "waiting") return <PlotPlace />;
  if (state.status !== "here")
    return (
      <section className="panel" role="alert">
        <Empty
          title={t.app.loadFailed}
          help={t.app.unreachable}
          action={<Button onClick={() => void plot.load()}>{t.app.retry}</Button>}
        />
      </section>
    );
  const [first = 0, last = 0] = [traffic.at[0], traffic.at.at(-1)];
  return (
    <state.component
      title={shown === "nano" ? t.overview.spendByModel : t.overview.requestsByModel}
      model={model}
      writing={writing}
      period={t.overview.between[traffic.bucket](writing.when(first), writing.when(last))}
      whole={whole}
      opening={opening}
      empty={shown === "nano" ? t.overview.noSpend : t.overview.noRequests}
    >
      <FigureChips shown={shown} />
    </state.component>
  );
}

/** A bar opens its requests. */
function useOpening({ at, to }: Traffic): PlotOpening {
  const t = useMessages();
  return useMemo(
    () => ({
      open(place, series) {
        const [since = 0, until = to] = [at[place], at[place + 1]];
        navigate("requests", { model: groupOfSeries(series), since: String(since), until: String(until) });
      },
      label(series) {
        const group = groupOfSeries(series);
        return group === null || group === "" ? t.plot.openRequests : t.plot.openRequestsOf(group);
      },
    }),
    [at, to, t],
  );
}

/** Space as tall as the plot: nothing below it moves when it appears. */
export function PlotPlace(): ReactNode {
  return <section className="panel min-h-78" aria-hidden />;
}

/** Formats times in the user's zone; a day without known hours is a UTC day, and marked as such. */
function useWriting({ bucket, utcUntil }: Traffic, shown: ShownFigure, language: string): PlotWriting {
  return useMemo(() => {
    const writer = (options: Intl.DateTimeFormatOptions) => {
      const format = new Intl.DateTimeFormat(language, { hourCycle: "h23", ...options });
      return (at: number) => format.format(at);
    };
    const dated = (options: Intl.DateTimeFormatOptions) => {
      const [here, utc] = [writer(options), writer({ ...options, timeZone: "UTC" })];
      return (at: number) => (utcUntil !== null && at < utcUntil ? utc(at) : here(at));
    };
    const [tick, when] =
      bucket === "hour"
        ? [
            writer({ hour: "2-digit", minute: "2-digit" }),
            writer({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }),
          ]
        : [dated({ day: "numeric", month: "short" }), dated({ dateStyle: "medium" })];
    const moments = { tick, when, plainWhen: (at: number) => new Date(at).toISOString() };
    if (shown === "nano")
      return {
        ...moments,
        scale: formatMoney,
        value: formatMoney,
        plainValue: usdCell,
        plainHead: (label) => `${label} (USD)`,
      };
    return {
      ...moments,
      // Half a request is no request.
      scale: (value) => (Number.isInteger(value) ? formatCompact(value) : ""),
      value: formatCount,
      plainValue: String,
      plainHead: itself,
    };
  }, [bucket, utcUntil, shown, language]);
}
