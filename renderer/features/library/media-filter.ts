import { mediaKindSchema, type MediaView } from "../../../gateway/contract/media.ts";
import type { ControlInput } from "../../../gateway/contract/control.ts";
import { nanoOf, startOfDay } from "../../lib/typed.ts";

export type MediaKind = MediaView["kind"];
export const mediaKinds = mediaKindSchema.options;

/** What a list of results is asked for, beside the page. */
export type MediaFilter = Omit<ControlInput<"listMedia">, "limit" | "before" | "offset">;

/** The filters by the names that they have in the address. Days are `YYYY-MM-DD` here, and the cost is USD. */
export const filterNames = ["q", "kind", "model", "key", "since", "until", "cost"] as const;
export type FilterName = (typeof filterNames)[number];

/** All filters taken off, for `replaceParams`. */
export const noFilters = Object.fromEntries(filterNames.map((name) => [name, null]));

const LONGEST = { q: 500, model: 200, key: 100 } as const;

/** The filter that an address asks for; what cannot be one is left out. */
export function filterOf(params: URLSearchParams): MediaFilter {
  const text = (name: keyof typeof LONGEST): string | undefined => {
    const value = (params.get(name) ?? "").trim().slice(0, LONGEST[name]);
    return value === "" ? undefined : value;
  };
  const kind = mediaKindSchema.safeParse(params.get("kind")).data;
  const wanted = {
    q: text("q"),
    kind,
    model: text("model"),
    key: text("key"),
    since: startOfDay(params.get("since")),
    // The last day is meant whole.
    until: startOfDay(params.get("until"), 1),
    min_nano: nanoOf(params.get("cost")),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined && value !== null));
}
