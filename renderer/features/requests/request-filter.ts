import { outcomeSchema } from "../../../gateway/contract/receipt.ts";
import { statusClassSchema, type RequestFilter } from "../../../gateway/contract/requests.ts";
import { addressFields, momentsOf, oneOf, read, words } from "../../lib/address-fields.ts";
import { startOfDay } from "../../lib/typed.ts";

export const rangeNames = ["1h", "24h", "7d", "30d"] as const;
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
  range: rangeOf,
  from: read(startOfDay),
  // The last day is meant whole.
  to: read((day) => startOfDay(day, 1)),
});

/** What an address asks for. */
export function filterOf(params: URLSearchParams, now: number): Partial<RequestFilter> {
  const { range, from, to, ...asked } = filters.valuesOf(params);
  return { ...asked, ...momentsOf({ range, from, to }, now) };
}
