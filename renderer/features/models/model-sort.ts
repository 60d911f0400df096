import type { ModelView } from "../../../gateway/contract/model-view.ts";

/** Columns to sort by; without any of them the list is grouped. */
export const modelSortings = ["id", "context", "price"] as const;
export type ModelSorting = (typeof modelSortings)[number];

export interface Sorted {
  readonly by: ModelSorting;
  readonly order: "asc" | "desc";
}

/** Reads the sorting of an address; null for the groups. */
export function getSorting(params: URLSearchParams): Sorted | null {
  const by = modelSortings.find((each) => each === params.get("sort"));
  if (by === undefined) return null;
  return { by, order: params.get("order") === "desc" ? "desc" : "asc" };
}

/** Returns the address change for a press on a heading: that column ascending, then descending, then the groups again. */
export function findNextSorting(sorted: Sorted | null, column: string): Readonly<Record<string, string | null>> {
  if (sorted?.by !== column) return { sort: column, order: null };
  return sorted.order === "asc" ? { sort: column, order: "desc" } : { sort: null, order: null };
}

const figures: Readonly<Record<Exclude<ModelSorting, "id">, (model: ModelView) => number | null>> = {
  context: ({ context_length: tokens }) => tokens,
  /** Price per token: pictures and seconds have no comparable price. */
  price: ({ input_nano_per_million: rate }) => rate,
};

/** Sorts models; those without the value are last in either direction, by id. */
export function sortModels(models: readonly ModelView[], { by, order }: Sorted): readonly ModelView[] {
  const sign = order === "asc" ? 1 : -1;
  const byId = (a: ModelView, b: ModelView): number => a.id.localeCompare(b.id, "en", { numeric: true });
  if (by === "id") return models.toSorted((a, b) => sign * byId(a, b));
  const figureOf = figures[by];
  return models.toSorted((a, b) => {
    const [one, other] = [figureOf(a), figureOf(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byId(a, b);
    return sign * (one - other) || byId(a, b);
  });
}
