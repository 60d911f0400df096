import {
  usageGroupSchema,
  usageRangeSchema,
  type UsageGroup,
  type UsageRange,
} from "../../../gateway/contract/usage.ts";
import type { UsageQuery } from "../../api/usage-queries.ts";
import { addressFields, oneOf } from "../../lib/address-fields.ts";
import type { SortOrder } from "./sort-groups.ts";
import { groupColumns, type GroupColumn } from "./sort-groups.ts";

/** What the Usage page shows, as its address holds it. What is misspelt in an address is passed over. */

export const ranges: readonly UsageRange[] = usageRangeSchema.options;
export const groupings: readonly UsageGroup[] = usageGroupSchema.options;

export const USUAL_RANGE: UsageRange = "30d";
const DAY_MS = 86_400_000;
/** As many days as the gateway answers for at once. */
export const MOST_DAYS = 1_100;

const fields = addressFields({
  range: oneOf(ranges),
  by: oneOf(groupings),
  sort: oneOf(groupColumns),
  order: oneOf<SortOrder>(["asc", "desc"]),
});

export type Period =
  | { readonly range: UsageRange }
  /** Inclusive UTC days, `YYYY-MM-DD`. */
  | { readonly since: string; readonly until: string };

export function periodOf(params: URLSearchParams): Period {
  const [since, until] = [params.get("from") ?? "", params.get("to") ?? ""];
  if (daysBetween(since, until) !== null) return { since, until };
  return { range: fields.valuesOf(params).range ?? USUAL_RANGE };
}

export function groupingOf(params: URLSearchParams): UsageGroup {
  return fields.valuesOf(params).by ?? "model";
}

export function queryOf(params: URLSearchParams): UsageQuery {
  return { ...periodOf(params), by: groupingOf(params) };
}

/** How many days there are from one to another, both counted; null when they are no such days. */
export function daysBetween(since: string, until: string): number | null {
  const [first, last] = [dayStart(since), dayStart(until)];
  if (first === null || last === null || first > last) return null;
  const days = (last - first) / DAY_MS + 1;
  return days > MOST_DAYS ? null : days;
}

/** When a UTC day begins; null for what is no day. */
export function dayStart(day: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const at = Date.parse(`${day}T00:00:00Z`);
  // 31 February is no day, although a calendar would make one of it.
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day ? null : at;
}

export interface GroupSorting {
  readonly by: GroupColumn;
  readonly order: SortOrder;
}

export function sortingOf(params: URLSearchParams): GroupSorting {
  const { sort = "spend", order = "desc" } = fields.valuesOf(params);
  return { by: sort, order };
}

/** What a press on a heading asks for: that column, largest first; the other way round when it is that already. */
export function nextSorting(params: URLSearchParams, column: string): Readonly<Record<string, string | null>> {
  const { by, order } = sortingOf(params);
  const turned = by === column && order === "desc" ? "asc" : null;
  return { sort: column === "spend" ? null : column, order: turned };
}

/** The same time as the Requests page writes it: a range, or the owner's own days that hold all of it. */
export function requestsPeriod(
  period: Period,
  { from, to }: { readonly from: number; readonly to: number },
): Readonly<Record<string, string>> {
  if ("range" in period && period.range !== "today") return { range: period.range };
  return { from: localDay(from), to: localDay(to - 1) };
}

function localDay(at: number): string {
  const day = new Date(at);
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
