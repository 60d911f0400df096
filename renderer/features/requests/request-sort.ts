import { requestFigureSchema, type RequestFigure } from "../../../gateway/contract/list.ts";
import { figureOfColumn } from "../../components/request/request-columns.tsx";
import { oneOf } from "../../lib/address-fields.ts";

/** Figure by which the log is sorted; without one it is sorted by time, newest first. */
export interface RequestSort {
  readonly by: RequestFigure;
  readonly order: "asc" | "desc";
}

const figureNamed = oneOf(requestFigureSchema.options);

/** Returns the sorting of an address (`sort`, `order`); null if the log is by time. */
export function getSort(params: URLSearchParams): RequestSort | null {
  const by = figureNamed(params.get("sort") ?? "");
  return by === undefined ? null : { by, order: params.get("order") === "asc" ? "asc" : "desc" };
}

/** The column that shows a figure. */
export const getColumn = (by: RequestFigure): string =>
  Object.keys(figureOfColumn).find((id) => figureOfColumn[id] === by) ?? "cost";

/** Returns the address after a click on a heading: highest first, then lowest, then by time again. */
export function afterPress(column: string, sort: RequestSort | null): Readonly<Record<string, string | null>> {
  const by = Object.hasOwn(figureOfColumn, column) ? figureOfColumn[column] : undefined;
  if (by === undefined || (sort?.by === by && sort.order === "asc")) return { sort: null, order: null };
  return { sort: by, order: sort?.by === by ? "asc" : null };
}
