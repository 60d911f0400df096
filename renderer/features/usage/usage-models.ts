import type { Totals } from "../../../gateway/contract/totals.ts";
import type { UsageSeries } from "../../../gateway/contract/usage.ts";
import type { PlotModel } from "../../components/plot/plot-model.ts";
import { formatMoney } from "../../lib/format.ts";
import type { Messages } from "../../locales/messages.ts";

/** Converts the gateway's response to the plots of the page. Pure. */

/** Usage of the period before; null if it is not shown or not known. Its place is kept while it is being fetched. */
export type Before = UsageSeries | "coming" | null;

/** Returns the earlier usage if it is loaded. */
export const getHere = (before: Before): UsageSeries | null => (before === "coming" ? null : before);

/** The line of the time before. */
function beforeLine(before: Before, t: Messages, valueOf: (bucket: UsageSeries["buckets"][number]) => number | null) {
  if (before === null) return {};
  return { before: { label: t.usage.beforeLabel, values: (getHere(before)?.buckets ?? []).map(valueOf) } };
}

/** Tells whether all days but today are empty, so that hours are more useful. */
export function isToday({ bucket, buckets, to }: UsageSeries, now: number): boolean {
  const used = ({ totals }: UsageSeries["buckets"][number]): boolean => totals.requests + totals.sandbox_requests > 0;
  return (
    bucket === "day" && to > now && buckets.slice(0, -1).every((one) => !used(one)) && buckets.slice(-1).some(used)
  );
}

export type SpendShown = "nano" | "requests";
export type LatencyShown = "whole" | "first";

export interface PlotFigures {
  readonly model: PlotModel;
  /** Figures of the whole period, in the order of the series; of bars also their total. */
  readonly whole: readonly (number | null)[];
}

const getMoments = ({ buckets }: UsageSeries): number[] => buckets.map(({ at }) => at);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Prefix of group series' ids, which distinguishes them from parts of tokens and times. */
const GROUP = "g ";

/** The group that a series is of; null: it is of all. */
export function groupOfSeries(id: string | null): string | null {
  return id?.startsWith(GROUP) === true ? id.slice(GROUP.length) : null;
}

/** More groups than colours cannot be distinguished. */
const MOST_SERIES = 8;

/** The first series, and all others together. */
function listFew(series: UsageSeries["series"]): UsageSeries["series"] {
  if (series.length <= MOST_SERIES) return series;
  const others = series.slice(MOST_SERIES);
  const together = (field: SpendShown): number[] =>
    (others[0]?.[field] ?? []).map((_, at) => sum(others.map((one) => one[field][at] ?? 0)));
  return [...series.slice(0, MOST_SERIES), { group: null, nano: together("nano"), requests: together("requests") }];
}

/** Spend, or requests, of each group as bars. */
export function spendPlot(
  usage: UsageSeries,
  shown: SpendShown,
  nameOf: (group: string) => string,
  budget: number | null,
  t: Messages,
  before: Before = null,
): PlotFigures {
  const series = listFew(usage.series)
    // Groups without values would only appear in the legend.
    .filter((one) => one[shown].some((value) => value > 0))
    .map((one) => ({
      id: one.group === null ? "rest" : `${GROUP}${one.group}`,
      label: one.group === null ? t.usage.others : nameOf(one.group),
      values: one[shown],
      rest: one.group === null,
    }));
  const perDay = shown === "nano" && usage.bucket === "day" && budget !== null ? budgetPerDay(budget, usage.to) : null;
  const reference = perDay === null ? null : { label: t.usage.budgetPerDay(formatMoney(perDay)), value: perDay };
  return {
    model: {
      kind: "bars",
      at: getMoments(usage),
      series,
      ...beforeLine(before, t, ({ totals }) => totals[shown]),
      ...(reference !== null && { reference }),
    },
    whole: [...series.map(({ values }) => sum(values)), usage.total[shown]],
  };
}

/** An even share of a month's budget, of the month that a period ends in. */
export function budgetPerDay(budget: number, to: number): number {
  const last = new Date(to - 1);
  const days = new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1, 0)).getUTCDate();
  return Math.round(budget / days);
}

/** Returns the input tokens without those the provider had cached: the gateway's sum of the input has both. */
export const uncachedInput = ({ input_tokens: all, cached_input_tokens: cached }: Totals): number => all - cached;

/** Plots uncached input, cached input and output tokens. */
export function tokenPlot(usage: UsageSeries, t: Messages, before: Before = null): PlotFigures {
  const values = (of: (totals: UsageSeries["total"]) => number) => ({
    values: usage.buckets.map(({ totals }) => of(totals)),
    whole: of(usage.total),
  });
  const parts = [
    { id: "input", label: t.usage.tokensNew, ...values(uncachedInput) },
    { id: "cached", label: t.usage.tokensCached, ...values((one) => one.cached_input_tokens) },
    { id: "output", label: t.usage.tokensOut, ...values((one) => one.output_tokens) },
  ];
  return {
    model: {
      kind: "bars",
      at: getMoments(usage),
      series: parts.map(({ id, label, values }) => ({ id, label, values })),
      ...beforeLine(before, t, ({ totals }) => totals.input_tokens + totals.output_tokens),
    },
    whole: [...parts.map(({ whole }) => whole), usage.total.input_tokens + usage.total.output_tokens],
  };
}

/** How long half, and 95 of 100, of the responses took at most. */
export function latencyPlot(usage: UsageSeries, shown: LatencyShown, t: Messages, before: Before = null): PlotFigures {
  const fields = shown === "whole" ? (["p50", "p95"] as const) : (["first_p50", "first_p95"] as const);
  const labels = [t.usage.p50, t.usage.p95];
  return {
    model: {
      kind: "lines",
      at: getMoments(usage),
      series: fields.map((field, index) => ({
        id: field,
        label: labels[index] ?? "",
        values: usage.buckets.map(({ latency }) => latency[field]),
      })),
      ...beforeLine(before, t, ({ latency }) => latency[fields[0]]),
    },
    whole: fields.map((field) => usage.latency[field]),
  };
}
