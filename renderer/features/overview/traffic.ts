import type { Totals } from "../../../gateway/contract/totals.ts";
import type { UsageSeries } from "../../../gateway/contract/usage.ts";
import type { PlotSeries } from "../../components/plot/plot-model.ts";
import type { ShownFigure } from "./overview-address.ts";

/** Figures of the overview for a time: all are sums of the same buckets, so none contradicts another. Pure. */
export interface Traffic {
  readonly bucket: UsageSeries["bucket"];
  /** End of the last bucket, Unix ms. */
  readonly to: number;
  /** Beginnings of the buckets, Unix ms, ascending. */
  readonly at: readonly number[];
  /** Buckets before this moment are days in UTC, Unix ms; null: all are local. */
  readonly utcUntil: number | null;
  readonly total: Totals;
  /** Most expensive first; `group` null: all groups without their own series, last. */
  readonly groups: readonly TrafficGroup[];
}

export interface TrafficGroup {
  readonly group: string | null;
  /** 10⁻⁹ USD, over all buckets. */
  readonly nano: number;
  readonly requests: number;
  /** Values by bucket. */
  readonly each: Readonly<Record<ShownFigure, readonly number[]>>;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export function getTraffic(usage: UsageSeries): Traffic {
  const groups = usage.series.map(({ group, nano, requests }): TrafficGroup => ({
    group,
    nano: sum(nano),
    requests: sum(requests),
    each: { nano, requests },
  }));
  return {
    bucket: usage.bucket,
    to: usage.to,
    at: usage.buckets.map(({ at }) => at),
    utcUntil: usage.utc_until,
    total: usage.total,
    groups: groups
      .filter(({ requests }) => requests > 0)
      .toSorted(
        (a, b) => Number(a.group === null) - Number(b.group === null) || b.nano - a.nano || b.requests - a.requests,
      ),
  };
}

/** Returns the value shown by the chart and lists: the chosen one, else spend, or requests if nothing has a price. */
export function getFigure({ total }: Traffic, chosen: ShownFigure | null): ShownFigure {
  return chosen ?? (total.nano === 0 && total.requests > 0 ? "requests" : "nano");
}

/** So many groups have a colour in the chart, and a row in a list. */
export const MOST_SHOWN = 5;

/** The bars of the chart: the first groups, and all others together. */
export function getBars(
  { groups, at }: Traffic,
  shown: ShownFigure,
  nameOf: (group: string) => string,
  others: string,
): readonly PlotSeries[] {
  const ranked = getTop(groups, shown).filter((one) => one[shown] > 0);
  const named = new Set(ranked);
  const rest = groups.filter((one) => !named.has(one) && one[shown] > 0);
  const bars = ranked.map(({ group, each }): PlotSeries => ({
    id: `${GROUP}${group ?? ""}`,
    label: nameOf(group ?? ""),
    values: each[shown],
  }));
  if (rest.length === 0) return bars;
  const values = at.map((_, place) => sum(rest.map(({ each }) => each[shown][place] ?? 0)));
  return [...bars, { id: "rest", label: others, values, rest: true }];
}

const GROUP = "g ";

/** Returns the group of a series; null for the total, or for all remaining groups. */
export const groupOfSeries = (id: string | null): string | null =>
  id?.startsWith(GROUP) === true ? id.slice(GROUP.length) : null;

/** Returns the named groups with the highest values. */
export function getTop(groups: readonly TrafficGroup[], shown: ShownFigure): readonly TrafficGroup[] {
  return groups
    .filter(({ group }) => group !== null)
    .toSorted((a, b) => b[shown] - a[shown] || b.requests - a.requests)
    .slice(0, MOST_SHOWN);
}
