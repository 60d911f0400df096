import { mediaKindSchema, type MediaView } from "../../../gateway/contract/media.ts";
import type { ControlInput } from "../../../gateway/contract/control.ts";
import { addressFields, oneOf, read, words } from "../../lib/address-fields.ts";
import { getNano, startOfDay } from "../../lib/typed.ts";

export type MediaKind = MediaView["kind"];
export const mediaKinds = mediaKindSchema.options;

/** Filter of a list of results, without the page. */
export type MediaFilter = Omit<ControlInput<"listMedia">, "limit" | "before" | "offset">;

/** The filters of the Library page, as its address holds them. Days are `YYYY-MM-DD` there, and the cost is USD. */
export const filters = addressFields({
  q: words(500),
  kind: oneOf(mediaKinds),
  model: words(200),
  key: words(100),
  since: read(startOfDay),
  // The last day is included.
  until: read((day) => startOfDay(day, 1)),
  cost: read(getNano),
});
export type FilterName = keyof typeof filters.none;

/** Returns the filter of an address. */
export function getFilter(params: URLSearchParams): MediaFilter {
  const { cost, ...fields } = filters.getValues(params);
  return { ...fields, ...(cost !== undefined && { min_nano: cost }) };
}
