import { isRecord } from "../../lib/records.ts";

/** Tells whether two values are equal as JSON, ignoring the order of fields and undefined fields. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(sortFields(a)) === JSON.stringify(sortFields(b));
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, sortFields(inner)]);
}
