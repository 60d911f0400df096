import { isRecord } from "../lib/records.ts";

const DATA_URL = /^data:([\w.+/-]{0,100})[;,]/;
/** Longer texts than any prompt are media in some other spelling. */
const LONGEST_TEXT = 20_000;

/**
 * A client's body as it is kept with its task: without inline media, which would be megabytes in the journal.
 * @returns `repeatable`: nothing had to be left out, so that the same can be asked for again.
 */
export function keptRequest(body: Readonly<Record<string, unknown>>): {
  readonly request: Readonly<Record<string, unknown>>;
  readonly repeatable: boolean;
} {
  let repeatable = true;
  const keep = (value: unknown): unknown => {
    if (typeof value === "string") {
      const type = DATA_URL.exec(value)?.[1];
      if (type === undefined && value.length <= LONGEST_TEXT) return value;
      repeatable = false;
      return `data:${type ?? ""};omitted,${value.length}`;
    }
    if (Array.isArray(value)) return value.map(keep);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, keep(field)]));
  };
  const request = keep(body) as Record<string, unknown>;
  return { request, repeatable };
}
