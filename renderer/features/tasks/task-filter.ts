import { taskStatusSchema, type TaskStatus } from "../../../gateway/contract/videos.ts";
import type { TaskFilter } from "../../api/query-names.ts";
import { nanoOf, startOfDay } from "../../lib/typed.ts";

/** The filters of the Tasks page, as its address holds them. */
export const filterParams = ["q", "status", "model", "key", "range", "from", "to", "min"] as const;
export const sortParams = ["sort", "order"] as const;

export const taskStatuses: readonly TaskStatus[] = taskStatusSchema.options;
export const rangeNames = ["24h", "7d", "30d"] as const;
export type RangeName = (typeof rangeNames)[number];
export const isRange = (text: string | null): text is RangeName => rangeNames.some((name) => name === text);

export const sortColumns = ["created", "finished", "cost"] as const;
export type SortColumn = (typeof sortColumns)[number];
export type SortOrder = "asc" | "desc";
const sortFields = { created: "created_at", finished: "finished_at", cost: "nano" } as const;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const rangeMs: Record<RangeName, number> = { "24h": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS };

/** The part of an address that says which tasks are shown: the same text means the same list. */
export function listPart(params: URLSearchParams): string {
  const kept = [...filterParams, ...sortParams].flatMap((name) => {
    const value = params.get(name);
    return value === null || value === "" ? [] : [[name, value]];
  });
  return new URLSearchParams(kept).toString();
}

/** The query of `listTasks` that an address asks for. What is misspelt in an address is passed over. */
export function filterOf(params: URLSearchParams, now: number): TaskFilter {
  const status = taskStatuses.find((each) => each === params.get("status"));
  const q = (params.get("q") ?? "").trim();
  const [model, key] = [params.get("model") ?? "", params.get("key") ?? ""];
  const least = leastOf(params.get("min"));
  const { by, order } = sortingOf(params);
  return {
    ...(q !== "" && { q: q.slice(0, 500) }),
    ...(status !== undefined && { status }),
    ...(model !== "" && { model }),
    ...(key !== "" && { key }),
    ...momentsOf(params, now),
    ...(least !== null && { min_nano: least }),
    ...((by !== "created" || order !== "desc") && { sort: sortFields[by], order }),
  };
}

function momentsOf(params: URLSearchParams, now: number): Pick<TaskFilter, "since" | "until"> {
  const range = params.get("range");
  // Whole minutes, so that the way back to a list within one finds it as it was.
  if (isRange(range)) return { since: Math.floor((now - rangeMs[range]) / MINUTE_MS) * MINUTE_MS };
  const [since, until] = [startOfDay(params.get("from")), startOfDay(params.get("to"), 1)];
  return { ...(since !== null && { since }), ...(until !== null && { until }) };
}

/** The least cost that a text asks for, 10⁻⁹ USD; null for what is no amount, and for none. */
export function leastOf(text: string | null): number | null {
  const nano = nanoOf(text);
  return nano === 0 ? null : nano;
}

export function sortingOf(params: URLSearchParams): { readonly by: SortColumn; readonly order: SortOrder } {
  const by = sortColumns.find((column) => column === params.get("sort")) ?? "created";
  return { by, order: params.get("order") === "asc" ? "asc" : "desc" };
}

/** What a press on a column's heading asks for: that column, largest first; the other way round when it is that. */
export function nextSorting(params: URLSearchParams, column: SortColumn): Readonly<Record<string, string | null>> {
  const { by, order } = sortingOf(params);
  const turned = by === column && order === "desc" ? "asc" : "desc";
  return sortAddress(column, turned);
}

/** The usual sorting is not in the address. */
export function sortAddress(by: SortColumn, order: SortOrder): Readonly<Record<string, string | null>> {
  return { sort: by === "created" ? null : by, order: order === "desc" ? null : order };
}

export const hasFilter = (params: URLSearchParams): boolean =>
  filterParams.some((name) => (params.get(name) ?? "") !== "");

export const noFilter: Readonly<Record<string, null>> = Object.fromEntries(filterParams.map((name) => [name, null]));
