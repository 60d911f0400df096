import type { UsageGroup } from "../../gateway/contract/usage.ts";
import {
  toColumns,
  namesByGroup,
  type UsageColumns,
  type UsageSource,
} from "../../gateway/core/usage/usage-columns.ts";
import { sumColumns } from "../../gateway/core/usage/usage-series.ts";
import type { UsageSums } from "../../gateway/core/usage/usage-sums.ts";

/** Sums, and the beginning of the bucket that they belong to. */
export interface Bucketed {
  readonly at: number;
  readonly row: Readonly<UsageSums>;
}

/** Buckets made of rows in any order. */
export function sourceOf(rows: readonly Bucketed[]): UsageSource {
  const names = namesByGroup();
  const buckets = new Map<number, UsageColumns>();
  for (const [at, own] of Map.groupBy(rows, (one) => one.at)) {
    buckets.set(
      at,
      toColumns(
        own.map(({ row }) => row),
        names,
      ),
    );
  }
  return { names, at: (begins) => buckets.get(begins) };
}

/** Requests of a group in a bucket; undefined when the bucket holds nothing. */
export function requestsAt(source: UsageSource, at: number, by?: UsageGroup, name?: string): number | undefined {
  const columns = source.at(at, by ?? "model");
  if (columns === undefined) return undefined;
  if (by === undefined || name === undefined) return sumColumns(columns).requests;
  return sumColumns(columns, { by, number: source.names[by].findNumber(name) ?? -1 }).requests;
}
