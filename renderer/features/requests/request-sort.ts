import { requestFigureSchema, type RequestFigure } from "../../../gateway/contract/list.ts";
import { figureOfColumn } from "../../components/request/request-columns.tsx";
import { oneOf } from "../../lib/address-fields.ts";

/** By which figure the log is sorted; without one it is by time, the newest first. */
export interface RequestSort {
  readonly by: RequestFigure;
  readonly order: "asc" | "desc";
}

const figureNamed = oneOf(requestFigureSchema.options);

/** What an address says of it (`sort`, `order`); null where the log is by time. */
export function getSort(params: URLSearchParams): RequestSort | null {
  const by = figureNamed(params.get("sort") ?? "");
  return by === undefined ? null : { by, order: params.get("order") === "asc" ? "asc" : "desc" };
}

/** The column that shows a figure. */
export const getColumn = (by: RequestFigure): string =>
  Object.keys(figureOfColumn).find((id) => figureOfColumn[id] === by) ?? "cost";

/** What an address says after a press on a heading: the highest first, then the lowest, then by time again. */
export function afterPress(column: string, sort: RequestSort | null): Readonly<Record<string, string | null>> {
  const by = Object.hasOwn(figureOfColumn, column) ? figureOfColumn[column] : undefined;
  if (by === undefined || (sort?.by === by && sort.order === "asc")) return { sort: null, order: null };
  return { sort: by, order: sort?.by === by ? "asc" : null };
}
