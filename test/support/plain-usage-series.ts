import type { Totals } from "../../gateway/contract/totals.ts";
import type { Latency, UsageGroup, UsageSeries } from "../../gateway/contract/usage.ts";
import type { UsageSums } from "../../gateway/core/usage/usage-sums.ts";
import { percentile, type Durations } from "../../gateway/core/usage/durations.ts";
import type { Bucketed } from "./usage-sources.ts";

/** What `usageSeries` has to say, in the plainest way: every figure goes through all rows for itself. */
export function plainUsageSeries(
  all: readonly Bucketed[],
  buckets: readonly number[],
  by: UsageGroup,
  shown: number,
): Pick<UsageSeries, "total" | "latency" | "buckets" | "groups" | "more_groups" | "series"> {
  const rows = all.filter(({ at }) => buckets.includes(at));
  const within = (expected: (one: Bucketed) => boolean) => rows.filter(expected).map(({ row }) => row);
  const named = ({ row }: Bucketed): string => row[by] ?? "";
  const groups = [...new Set(rows.map(named))]
    .map((group) => {
      const own = within((one) => named(one) === group);
      return { group, totals: totalsOf(own), latency: latencyOf(own, own) };
    })
    .toSorted(
      (a, b) =>
        b.totals.nano - a.totals.nano ||
        b.totals.requests - a.totals.requests ||
        b.totals.sandbox_requests - a.totals.sandbox_requests ||
        (a.group < b.group ? -1 : 1),
    );
  const figures = (names: readonly string[], field: "nano" | "requests"): number[] =>
    buckets.map((at) => totalsOf(within((one) => one.at === at && names.includes(named(one))))[field]);
  const own = groups.slice(0, shown).map(({ group }) => ({ group: group as string | null, names: [group] }));
  const others = groups.slice(shown).map(({ group }) => group);
  const parts = others.length === 0 ? own : [...own, { group: null, names: others }];
  const everything = within(() => true);
  return {
    total: totalsOf(everything),
    latency: latencyOf(everything, everything),
    buckets: buckets.map((at) => {
      const rowsThere = within((one) => one.at === at);
      return { at, totals: totalsOf(rowsThere), latency: latencyOf(rowsThere, everything) };
    }),
    groups: groups.slice(0, 500),
    more_groups: Math.max(0, groups.length - 500),
    series: parts.map(({ group, names }) => ({
      group,
      nano: figures(names, "nano"),
      requests: figures(names, "requests"),
    })),
  };
}

function totalsOf(rows: readonly Readonly<UsageSums>[]): Totals {
  const sum = (field: keyof Totals): number => rows.reduce((total, row) => total + row[field], 0);
  return {
    requests: sum("requests"),
    errors: sum("errors"),
    cancelled_requests: sum("cancelled_requests"),
    input_tokens: sum("input_tokens"),
    cached_input_tokens: sum("cached_input_tokens"),
    output_tokens: sum("output_tokens"),
    reasoning_tokens: sum("reasoning_tokens"),
    nano: sum("nano"),
    unpriced_requests: sum("unpriced_requests"),
    unknown_requests: sum("unknown_requests"),
    estimated_requests: sum("estimated_requests"),
    estimated_nano: sum("estimated_nano"),
    sandbox_requests: sum("sandbox_requests"),
    sandbox_nano: sum("sandbox_nano"),
    cache_saved_nano: sum("cache_saved_nano"),
  };
}

type Rows = readonly Readonly<UsageSums>[];

const isTalk = (row: Readonly<UsageSums>): boolean => ["chat", "messages", "responses"].includes(row.endpoint ?? "");

/** @param all says whether a conversation was measured */
function latencyOf(rows: Rows, all: Rows): Latency {
  const hasTalks = all.some((row) => isTalk(row) && Object.keys(row.durations ?? {}).length > 0);
  const durations = merged(rows.filter((row) => !hasTalks || isTalk(row)).map((row) => row.durations ?? {}));
  const first = merged(rows.filter(isTalk).map((row) => row.first_durations ?? {}));
  return {
    p50: percentile(durations, 0.5),
    p95: percentile(durations, 0.95),
    first_p50: percentile(first, 0.5),
    first_p95: percentile(first, 0.95),
  };
}

function merged(all: readonly Readonly<Durations>[]): Durations {
  const sum: Durations = {};
  for (const one of all) {
    for (const [bucket, count] of Object.entries(one)) sum[Number(bucket)] = (sum[Number(bucket)] ?? 0) + count;
  }
  return sum;
}
