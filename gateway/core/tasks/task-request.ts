import { isRecord } from "../../lib/records.ts";

const DATA_URL = /^data:([\w.+/-]{0,100})[;,]/i;
/** Longer texts than any prompt are media in some other spelling. */
const LONGEST_TEXT = 20_000;
/** All texts and names of a body, and something for each of its pieces. */
const MOST_CHARACTERS = 100_000;
const PIECE = 8;

/**
 * A client's body as it is kept with its task: without inline media, which would be megabytes in the journal, and
 * without what is more than anybody reads.
 * @returns `repeatable`: nothing had to be left out, so that the same can be asked for again.
 */
export function createStoredRequest(body: Readonly<Record<string, unknown>>): {
  readonly request: Readonly<Record<string, unknown>>;
  readonly repeatable: boolean;
} {
  let left = MOST_CHARACTERS;
  let repeatable = true;
  /** Whether there is room for this much more. */
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

/** A prompt as it is kept: providers take a few thousand characters. Never half of one. */
export const shortenPrompt = (prompt: string): string =>
  prompt.length <= LONGEST_TEXT ? prompt : prompt.slice(0, LONGEST_TEXT).replace(/[\uD800-\uDBFF]$/, "");

/** A body with another form of its webhook URL, where it has one. */
export function withWebhookUrl(
  body: Readonly<Record<string, unknown>>,
  url: string | null,
): Readonly<Record<string, unknown>> {
  return "webhook_url" in body && url !== null ? { ...body, webhook_url: url } : body;
}
