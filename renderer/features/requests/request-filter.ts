import { outcomeSchema } from "../../../gateway/contract/receipt.ts";
import { statusClassSchema, type RequestFilter } from "../../../gateway/contract/list.ts";
import { addressFields, getMoments, oneOf, read, words } from "../../lib/address-fields.ts";
import { startOfDay } from "../../lib/typed.ts";

export const rangeNames = ["1h", "today", "24h", "7d", "30d"] as const;
export const rangeOf = oneOf(rangeNames);

/** The filters of the Requests page, as its address holds them. */
export const filters = addressFields({
  q: words(100),
  status: oneOf(statusClassSchema.options),
  outcome: oneOf(outcomeSchema.options),
  model: words(200),
  key: words(100),
  client: words(200),
  endpoint: words(50),
  provider: words(100),
  connection: words(100),
  session: words(256),
  project: words(100),
  agent: words(256),
  range: rangeOf,
  from: read(startOfDay),
  // The last day is included.
  to: read((day) => startOfDay(day, 1)),
  // Moments, for times that are no days: an hour, or a day in UTC.
  since: read(getMoment),
  until: read(getMoment),
});

/** Unix ms; null for an invalid time. */
function getMoment(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** All time fields cleared, for `replaceParams`. */
export const noTime = { range: null, from: null, to: null, since: null, until: null } as const;

/** Returns the filter of an address. */
export function getFilter(params: URLSearchParams, now: number): Partial<RequestFilter> {
  const { range, from, to, since, until, ...fields } = filters.getValues(params);
  // Moments are more exact than a range or days.
  if (since !== undefined || until !== undefined) {
    return { ...fields, ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  }
  if (range === "today") return { ...fields, since: new Date(now).setHours(0, 0, 0, 0) };
  return { ...fields, ...getMoments({ range, from, to }, now) };
}
