import { mediaKindSchema, type MediaView } from "../../../gateway/contract/media.ts";
import type { ControlInput } from "../../../gateway/contract/control.ts";

export type MediaKind = MediaView["kind"];
export const mediaKinds = mediaKindSchema.options;

/** What a list of results is asked for, beside the page. */
export type MediaFilter = Omit<ControlInput<"listMedia">, "limit" | "before" | "offset">;

/** The filters by the names that they have in the address. Days are `YYYY-MM-DD` here, and the cost is USD. */
export const filterNames = ["q", "kind", "model", "key", "since", "until", "cost"] as const;
export type FilterName = (typeof filterNames)[number];

/** All filters taken off, for `replaceParams`. */
export const noFilters = Object.fromEntries(filterNames.map((name) => [name, null]));

const NANO_DIGITS = 9;
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
    since: dayOf(params.get("since"), 0),
    // The last day is meant whole.
    until: dayOf(params.get("until"), 1),
    min_nano: nanoOf(params.get("cost") ?? ""),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
}

/**
 * The midnight, in the owner's own zone, with which a day begins.
 * @param later days to add
 */
function dayOf(text: string | null, later: number): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? "") ?? [];
  if (day === undefined) return undefined;
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  // 31 February is no day, although a calendar would make one of it.
  if (date.getMonth() !== Number(month) - 1 || date.getFullYear() !== Number(year)) return undefined;
  date.setDate(date.getDate() + later);
  return Math.max(0, date.getTime());
}

/** USD as it is typed, "0.05" or "$1", as 10⁻⁹ USD; undefined for what is no amount. */
export function nanoOf(text: string): number | undefined {
  const [, whole = "", part = ""] = /^\$?(\d{0,6})(?:\.(\d{0,9}))?$/.exec(text.trim()) ?? [];
  if (whole === "" && part === "") return undefined;
  return Number(whole) * 10 ** NANO_DIGITS + Number(part.padEnd(NANO_DIGITS, "0"));
}
