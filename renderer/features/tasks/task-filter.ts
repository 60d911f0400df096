import { taskStatusSchema, type TaskStatus } from "../../../gateway/contract/videos.ts";
import type { TaskFilter } from "../../api/query-names.ts";
import { addressFields, getMoments, oneOf, read, words } from "../../lib/address-fields.ts";
import { getNano, startOfDay } from "../../lib/typed.ts";

export const taskStatuses: readonly TaskStatus[] = taskStatusSchema.options;
export const rangeNames = ["24h", "7d", "30d"] as const;
export const rangeOf = oneOf(rangeNames);

export const sortColumns = ["created", "finished", "cost"] as const;
export type SortColumn = (typeof sortColumns)[number];
export type SortOrder = "asc" | "desc";
const sortFields = { created: "created_at", finished: "finished_at", cost: "nano" } as const;

/** The filters of the Tasks page, as its address holds them. */
export const filters = addressFields({
  q: words(500),
  status: oneOf(taskStatuses),
  model: words(200),
  key: words(100),
  range: rangeOf,
  from: read(startOfDay),
  // The last day is included.
  to: read((day) => startOfDay(day, 1)),
  min: read(parseMinCost),
});
const sorting = addressFields({ sort: oneOf(sortColumns), order: oneOf<SortOrder>(["asc", "desc"]) });

/** The part of the address that selects tasks: equal text means an equal list. */
export const listPart = (params: URLSearchParams): string => `${filters.getPart(params)}&${sorting.getPart(params)}`;

/** Returns the query of `listTasks` for an address. */
export function getFilter(params: URLSearchParams, now: number): TaskFilter {
  const { range, from, to, min, ...fields } = filters.getValues(params);
  const { by, order } = getSorting(params);
  return {
    ...fields,
    ...getMoments({ range, from, to }, now),
    ...(min !== undefined && { min_nano: min }),
    ...((by !== "created" || order !== "desc") && { sort: sortFields[by], order }),
  };
}

/** Parses a min cost in 10⁻⁹ USD; null for an invalid or empty text. */
export function parseMinCost(text: string | null): number | null {
  const nano = getNano(text);
  return nano === 0 ? null : nano;
}

export function getSorting(params: URLSearchParams): { readonly by: SortColumn; readonly order: SortOrder } {
  const { sort = "created", order = "desc" } = sorting.getValues(params);
  return { by: sort, order };
}

/** Returns the address after a click on a heading: sorts by that column, largest first, or reverses its order. */
export function nextSorting(params: URLSearchParams, column: SortColumn): Readonly<Record<string, string | null>> {
  const { by, order } = getSorting(params);
  const turned = by === column && order === "desc" ? "asc" : "desc";
  return sortAddress(column, turned);
}

/** The usual sorting is not in the address. */
export function sortAddress(by: SortColumn, order: SortOrder): Readonly<Record<string, string | null>> {
  return { sort: by === "created" ? null : by, order: order === "desc" ? null : order };
}
