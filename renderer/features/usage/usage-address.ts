import {
  usageGroupSchema,
  timedKindSchema,
  usageRangeSchema,
  type TimedKind,
  type UsageGroup,
  type UsageRange,
} from "../../../gateway/contract/usage.ts";
import { sourceFilterSchema, type SourceFilter } from "../../../gateway/contract/list.ts";
import type { UsageQuery } from "../../api/usage-queries.ts";
import { addressFields, oneOf, words } from "../../lib/address-fields.ts";
import { routeHash } from "../../lib/router.ts";
import { UTC } from "../../lib/moment-words.ts";
import type { SortOrder } from "./sort-groups.ts";
import { groupColumns, type GroupColumn } from "./sort-groups.ts";

/** View of the Usage page, as stored in its address. Invalid fields of an address are ignored. */

export const ranges: readonly UsageRange[] = usageRangeSchema.options;
export const groupings: readonly UsageGroup[] = usageGroupSchema.options;

export const sources: readonly SourceFilter[] = sourceFilterSchema.options;

export const timedKinds: readonly TimedKind[] = timedKindSchema.options;

export const USUAL_RANGE: UsageRange = "30d";
const DAY_MS = 86_400_000;
/** Max days per request to the gateway. */
export const MOST_DAYS = 1_100;

const LONGEST_NAME = 200;

const fields = addressFields({
  source: oneOf(sources),
  /** The model of "what if". */
  on: words(LONGEST_NAME),
  range: oneOf(ranges),
  by: oneOf(groupings),
  timed: oneOf(timedKinds),
  sort: oneOf(groupColumns),
  order: oneOf<SortOrder>(["asc", "desc"]),
});

export type Period =
  | { readonly range: UsageRange }
  /** Inclusive days, `YYYY-MM-DD`. */
  | { readonly since: string; readonly until: string };

export function getPeriod(params: URLSearchParams): Period {
  const [since, until] = [params.get("from") ?? "", params.get("to") ?? ""];
  if (daysBetween(since, until) !== null) return { since, until };
  return { range: fields.getValues(params).range ?? USUAL_RANGE };
}

export function getGrouping(params: URLSearchParams): UsageGroup {
  return fields.getValues(params).by ?? "model";
}

export const getSource = (params: URLSearchParams): SourceFilter => fields.getValues(params).source ?? "postern";

/** The model of "what if"; empty without one. */
export const getOther = (params: URLSearchParams): string => fields.getValues(params).on ?? "";

/** The groups that alone are shown. */
export function getFilters(params: URLSearchParams): Partial<Record<UsageGroup, string>> {
  const given = groupings.map((name) => [name, (params.get(name) ?? "").slice(0, LONGEST_NAME)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ""));
}

/** Returns the query of an address. @param own the user's own zone */
export function getRequestQuery(params: URLSearchParams, own: string) {
  const [zone, source] = [getZone(params, own), getSource(params)];
  const chosen = { ...(zone !== UTC && { zone }), ...(source !== "postern" && { source }) };
  return { ...getPeriod(params), ...getFilters(params), ...chosen };
}

/** The calls whose latency is shown; undefined for the usual ones. */
export const getTimedKind = (params: URLSearchParams): TimedKind | undefined => fields.getValues(params).timed;

/** @param own the user's own zone */
export function getQuery(params: URLSearchParams, own: string): UsageQuery {
  const timed = getTimedKind(params);
  return { ...getRequestQuery(params, own), by: getGrouping(params), ...(timed && { timed }) };
}

/** Returns the time zone of the page. @param own the user's own, unless the address has UTC */
export const getZone = (params: URLSearchParams, own: string): string => (params.get("tz") === "utc" ? UTC : own);

/** Returns whether a time before exists, which it does not for the range of all usage. */
export function isComparable(params: URLSearchParams): boolean {
  const period = getPeriod(params);
  return "since" in period || period.range !== "all";
}

/** Whether the time before is shown as well. */
export const isCompared = (params: URLSearchParams): boolean => isComparable(params) && params.get("compare") !== "off";

/** How many days there are from one to another, both counted; null when they are no such days. */
export function daysBetween(since: string, until: string): number | null {
  const [first, last] = [dayStart(since), dayStart(until)];
  if (first === null || last === null || first > last) return null;
  const days = (last - first) / DAY_MS + 1;
  return days > MOST_DAYS ? null : days;
}

/** Returns when a day starts in UTC; null for an invalid day. */
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

export function getSorting(params: URLSearchParams): GroupSorting {
  const { sort = "spend", order = "desc" } = fields.getValues(params);
  return { by: sort, order };
}

/** Returns the address after a click on a heading: sorts by that column, largest first, or reverses its order. */
export function nextSorting(params: URLSearchParams, column: string): Readonly<Record<string, string | null>> {
  const { by, order } = getSorting(params);
  const turned = by === column && order === "desc" ? "asc" : null;
  return { sort: column === "spend" ? null : column, order: turned };
}

/** A time in Unix ms. */
export interface Span {
  readonly since: number;
  readonly until: number;
}

/** Returns the address of the Requests page for a group within a period. */
export type Requests = (group: string | null, span: Span) => Readonly<Record<string, string>>;

/** Null: what is shown has no receipts that could be listed. Groups without a name are no filter there. */
export function getRequests(params: URLSearchParams): Requests | null {
  if (getSource(params) !== "postern") return null;
  const [by, filters] = [getGrouping(params), getFilters(params)];
  return (group, { since, until }) => ({
    ...filters,
    ...(group !== null && group !== "" && { [by]: group }),
    since: String(since),
    until: String(until),
  });
}

/** Returns the address at which the price of a model is set. */
export const priceHash = (model: string): string => `${routeHash("models", { model })}&price`;

/** Max groups with a trend in their row: for years, more would be too much to send. */
const TRENDS = 40;
const MOST_TREND_DAYS = 100;

/** Number of groups fetched with their series; the plots show fewer. */
export function getTrends({ range, since, until }: UsageQuery): number | undefined {
  if (range === "all") return undefined;
  const days = since === undefined || until === undefined ? 0 : (daysBetween(since, until) ?? 0);
  return days > MOST_TREND_DAYS ? undefined : TRENDS;
}
