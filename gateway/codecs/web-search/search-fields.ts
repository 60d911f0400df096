import type { NumberedResult } from "../../core/search/search-result.ts";
import { isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";

/**
 * Prefix of data for Postern's searches in a conversation, so that the history can be read back. Providers encrypt such
 * data; ours is only encoded, so clients can read it.
 */
export const SEARCH_MARK = "srch_postern";

const PREFIX = `${SEARCH_MARK}:1:`;

interface SearchFields {
  readonly number: number;
  readonly snippet: string;
  readonly age: string | null;
}

/** Encodes fields that Anthropic's block lacks, in place of its `encrypted_content`. */
export function encodeSearchFields({ number, snippet, age }: NumberedResult): string {
  return PREFIX + Buffer.from(JSON.stringify({ number, snippet, age }), "utf8").toString("base64url");
}

/** Decodes a result's fields; null for content that another server encrypted. */
export function decodeSearchFields(text: unknown): SearchFields | null {
  if (typeof text !== "string" || !text.startsWith(PREFIX)) return null;
  try {
    const fields: unknown = JSON.parse(Buffer.from(text.slice(PREFIX.length), "base64url").toString("utf8"));
    if (!isRecord(fields) || !Number.isInteger(fields["number"])) return null;
    const { number, snippet, age } = fields;
    return {
      number: number as number,
      snippet: typeof snippet === "string" ? snippet : "",
      age: typeof age === "string" ? age : null,
    };
  } catch {
    return null;
  }
}

/** Encodes the mark as the model wrote it, in the place of `encrypted_index` of Anthropic's citation. */
export const encodeMark = (written: string): string => PREFIX + Buffer.from(written, "utf8").toString("base64url");

/** Decodes a mark; null for another server's citation. */
export function decodeMark(text: unknown): string | null {
  if (typeof text !== "string" || !text.startsWith(PREFIX)) return null;
  return Buffer.from(text.slice(PREFIX.length), "base64url").toString("utf8");
}

/** Description of the tool that replaces the provider's search. */
export const SEARCH_DESCRIPTION =
  "Searches the web and returns numbered results with title, URL and an excerpt. Use it for what is current or not known " +
  "for certain. Cite what you use by its number in brackets, such as [1].";

export const SEARCH_SCHEMA: Document = {
  type: "object",
  properties: { query: { type: "string", description: "What to search for" } },
  required: ["query"],
  additionalProperties: false,
};

/** Reads the query from the arguments of a call; null without a query. */
export function readQuery(input: unknown): string | null {
  let given = input;
  if (typeof input === "string") {
    try {
      given = JSON.parse(input === "" ? "{}" : input);
    } catch {
      return null;
    }
  }
  const query = isRecord(given) ? given["query"] : null;
  return typeof query === "string" && query.trim() !== "" ? query.trim() : null;
}
