import { isRecord } from "../../lib/records.ts";

const DATA_URL = /^data:([\w.+/-]{0,100})[;,]/i;
/** Longer texts than any prompt are media in some other spelling. */
const LONGEST_TEXT = 20_000;
/** Max characters of all strings and names of a stored body, plus a constant per value. */
const MOST_CHARACTERS = 100_000;
const PIECE = 8;

/**
 * Returns the stored form of a client's body: without inline media, which would add megabytes to the journal, and
 * without oversized parts.
 * @returns `repeatable`: nothing was omitted, so that the request can be repeated.
 */
export function createStoredRequest(body: Readonly<Record<string, unknown>>): {
  readonly request: Readonly<Record<string, unknown>>;
  readonly repeatable: boolean;
} {
  let left = MOST_CHARACTERS;
  let repeatable = true;
  /** Tells whether this many more characters fit. */
  const fits = (characters: number): boolean => {
    const room = characters <= left;
    if (room) left -= characters;
    else repeatable = false;
    return room;
  };
  const keep = (value: unknown): unknown => {
    if (typeof value === "string") {
      const type = DATA_URL.exec(value)?.[1];
      if (type === undefined && value.length <= LONGEST_TEXT && fits(value.length)) return value;
      repeatable = false;
      return `data:${type ?? ""};omitted,${value.length}`;
    }
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value;
      const storedFields: unknown[] = [];
      for (const item of items) {
        if (!fits(PIECE)) break;
        storedFields.push(keep(item));
      }
      return storedFields;
    }
    if (!isRecord(value)) return value;
    const fields: [string, unknown][] = [];
    for (const [name, field] of Object.entries(value)) if (fits(name.length + PIECE)) fields.push([name, keep(field)]);
    return Object.fromEntries(fields);
  };
  const request = keep(body) as Record<string, unknown>;
  return { request, repeatable };
}

/** Shortens a prompt for storage: providers accept a few thousand characters. Characters are never split. */
export const shortenPrompt = (prompt: string): string =>
  prompt.length <= LONGEST_TEXT ? prompt : prompt.slice(0, LONGEST_TEXT).replace(/[\uD800-\uDBFF]$/, "");

/** Returns a body with another webhook URL, if it has one. */
export function withWebhookUrl(
  body: Readonly<Record<string, unknown>>,
  url: string | null,
): Readonly<Record<string, unknown>> {
  return "webhook_url" in body && url !== null ? { ...body, webhook_url: url } : body;
}
