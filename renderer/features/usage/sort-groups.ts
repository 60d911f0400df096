import type { UsageSeries } from "../../../gateway/contract/usage.ts";
import { uncachedInput } from "./usage-models.ts";

export type UsageRow = UsageSeries["groups"][number];
export type SortOrder = "asc" | "desc";

export const groupColumns = [
  "spend",
  "requests",
  "errors",
  "input",
  "cached",
  "output",
  "p50",
  "p95",
  "unpriced",
  "sandbox",
  "name",
] as const;
export type GroupColumn = (typeof groupColumns)[number];

const figures: Readonly<Record<Exclude<GroupColumn, "name">, (row: UsageRow) => number | null>> = {
  spend: ({ totals }) => totals.nano,
  requests: ({ totals }) => totals.requests,
  errors: ({ totals }) => totals.errors,
  input: ({ totals }) => uncachedInput(totals),
  cached: ({ totals }) => totals.cached_input_tokens,
  output: ({ totals }) => totals.output_tokens,
  p50: ({ latency }) => latency.p50,
  p95: ({ latency }) => latency.p95,
  unpriced: ({ totals }) => totals.unpriced_requests,
  sandbox: ({ totals }) => totals.sandbox_nano,
};

/** Sorts rows; unmeasured ones are last in either direction. */
export function sortGroups(
  rows: readonly UsageRow[],
  by: GroupColumn,
  order: SortOrder,
  nameOf: (group: string) => string,
): UsageRow[] {
  const sign = order === "asc" ? 1 : -1;
  // Names are ascending by default; numbers descending.
  if (by === "name") return rows.toSorted((a, b) => -sign * nameOf(a.group).localeCompare(nameOf(b.group)));
  const figureOf = figures[by];
  return rows.toSorted((a, b) => {
    const [one, other] = [figureOf(a), figureOf(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  });
}
