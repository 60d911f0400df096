import { totalsSchema } from "../../contract/totals.ts";
import type { Totals } from "../../contract/totals.ts";
import type { Latency, UsageCell, UsageGroup, UsageSeries } from "../../contract/usage.ts";
import { addDurations, noDurations, percentile } from "./latency.ts";
import type { UsageSums } from "./usage-sums.ts";

/** Sums and the bucket that they belong to, by its beginning. */
export interface Bucketed {
  readonly at: number;
  readonly row: Readonly<UsageSums>;
}

/** What is summed: the names are the same in a row and in the totals that are shown. */
const SUMS = Object.keys(totalsSchema.shape) as (keyof Totals)[];

/** Totals of nothing. */
export function emptyTotals(): Totals {
  return Object.fromEntries(SUMS.map((name) => [name, 0])) as Totals;
}

/** Adds a row to `total`, in place. */
export function addTotals(total: Totals, row: Readonly<Totals>): void {
  for (const name of SUMS) total[name] += row[name];
}

/** So many groups are listed. */
const MOST_GROUPS = 500;

class Sum {
  readonly totals = emptyTotals();
  readonly #durations = noDurations();
  readonly #first = noDurations();

  add(row: Readonly<UsageSums>): void {
    addTotals(this.totals, row);
    if (row.durations !== undefined) addDurations(this.#durations, row.durations);
    if (row.first_durations !== undefined) addDurations(this.#first, row.first_durations);
  }

  addSum(other: Sum): void {
    addTotals(this.totals, other.totals);
    addDurations(this.#durations, other.#durations);
    addDurations(this.#first, other.#first);
  }

  get latency(): Latency {
    return {
      p50: percentile(this.#durations, 0.5),
      p95: percentile(this.#durations, 0.95),
      first_p50: percentile(this.#first, 0.5),
      first_p95: percentile(this.#first, 0.95),
    };
  }
}

/**
 * Sums rows over buckets and groups. Rows of other buckets are left out.
 * @param buckets beginnings, ascending
 * @param shown how many groups get a series of their own
 */
export function usageSeries(
  rows: Iterable<Bucketed>,
  buckets: readonly number[],
  by: UsageGroup,
  shown: number,
): Pick<UsageSeries, "total" | "latency" | "buckets" | "groups" | "more_groups" | "series"> {
  const places = new Map(buckets.map((at, index) => [at, index]));
  const all = new Sum();
  const sums = buckets.map(() => new Sum());
  const groups = new Map<string, { readonly sum: Sum; readonly nano: number[]; readonly requests: number[] }>();
  for (const { at, row } of rows) {
    const place = places.get(at);
    if (place === undefined) continue;
    const name = groupOf(row, by);
    let group = groups.get(name);
    if (group === undefined) {
      group = { sum: new Sum(), nano: buckets.map(() => 0), requests: buckets.map(() => 0) };
      groups.set(name, group);
    }
    sums[place]?.add(row);
    group.sum.add(row);
    group.nano[place] = (group.nano[place] ?? 0) + row.nano;
    group.requests[place] = (group.requests[place] ?? 0) + row.requests;
  }
  for (const sum of sums) all.addSum(sum);
  const dearest = [...groups].toSorted(
    ([a, { sum: one }], [b, { sum: other }]) =>
      other.totals.nano - one.totals.nano ||
      other.totals.requests - one.totals.requests ||
      other.totals.sandbox_requests - one.totals.sandbox_requests ||
      (a < b ? -1 : 1),
  );
  const series: UsageSeries["series"] = dearest
    .slice(0, shown)
    .map(([group, { nano, requests }]) => ({ group, nano, requests }));
  const others = dearest.slice(shown);
  if (others.length > 0) {
    const added = (field: "nano" | "requests"): number[] =>
      buckets.map((_, place) => others.reduce((sum, [, group]) => sum + (group[field][place] ?? 0), 0));
    series.push({ group: null, nano: added("nano"), requests: added("requests") });
  }
  return {
    total: all.totals,
    latency: all.latency,
    buckets: buckets.map((at, place) => ({
      at,
      totals: sums[place]?.totals ?? emptyTotals(),
      latency: (sums[place] ?? new Sum()).latency,
    })),
    groups: dearest
      .slice(0, MOST_GROUPS)
      .map(([group, { sum }]) => ({ group, totals: sum.totals, latency: sum.latency })),
    more_groups: Math.max(0, dearest.length - MOST_GROUPS),
    series,
  };
}

/** Each bucket of each group that has something in it, in the order of time and of names. */
export function usageCells(rows: Iterable<Bucketed>, buckets: readonly number[], by: UsageGroup): UsageCell[] {
  const wanted = new Set(buckets);
  const cells = new Map<string, UsageCell>();
  for (const { at, row } of rows) {
    if (!wanted.has(at)) continue;
    const group = groupOf(row, by);
    const id = `${at} ${group}`;
    const cell = cells.get(id) ?? { at, group, totals: emptyTotals() };
    cells.set(id, cell);
    addTotals(cell.totals, row);
  }
  return [...cells.values()].toSorted((a, b) => a.at - b.at || (a.group < b.group ? -1 : 1));
}

/** The group of sums. Without an endpoint: written before it was told apart. */
export function groupOf(row: Readonly<UsageSums>, by: UsageGroup): string {
  return row[by] ?? "";
}
