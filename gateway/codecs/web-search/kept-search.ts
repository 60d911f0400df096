import type { NumberedResult } from "../../core/search/search-result.ts";
import { isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";

/**
 * What a conversation carries of searches that Postern made, so that it can be read when the history comes back. It is
 * readable by everybody and says so: what a provider would encrypt, we only encode.
 */
export const SEARCH_MARK = "srch_postern";

const PREFIX = `${SEARCH_MARK}:1:`;

interface Kept {
  readonly number: number;
  readonly snippet: string;
  readonly age: string | null;
}

/** In the place of Anthropic's `encrypted_content`: what the block has no field for. */
export function encodeKept({ number, snippet, age }: NumberedResult): string {
  return PREFIX + Buffer.from(JSON.stringify({ number, snippet, age }), "utf8").toString("base64url");
}

/** Null for what someone else encrypted. */
export function decodeKept(text: unknown): Kept | null {
  if (typeof text !== "string" || !text.startsWith(PREFIX)) return null;
  try {
    const kept: unknown = JSON.parse(Buffer.from(text.slice(PREFIX.length), "base64url").toString("utf8"));
    if (!isRecord(kept) || !Number.isInteger(kept["number"])) return null;
    const { number, snippet, age } = kept;
    return {
      number: number as number,
      snippet: typeof snippet === "string" ? snippet : "",
      age: typeof age === "string" ? age : null,
    };
  } catch {
    return null;
  }
}

/** In the place of Anthropic's `encrypted_index` of a citation: the mark as the model wrote it. */
export const encodeMark = (written: string): string => PREFIX + Buffer.from(written, "utf8").toString("base64url");

/** Null for a citation of someone else. */
export function decodeMark(text: unknown): string | null {
  if (typeof text !== "string" || !text.startsWith(PREFIX)) return null;
  return Buffer.from(text.slice(PREFIX.length), "base64url").toString("utf8");
}

/** What the model is offered in the place of its provider's search. */
export const SEARCH_DESCRIPTION =
  "Searches the web and returns numbered results with title, URL and an excerpt. Use it for what is current or not known " +
  "for certain. Cite what you use by its number in brackets, such as [1].";

export const SEARCH_SCHEMA: Document = {
  type: "object",
  properties: { query: { type: "string", description: "What to search for" } },
  required: ["query"],
  additionalProperties: false,
};

/** The query in the arguments of a call; null where there is none. */
export function queryIn(input: unknown): string | null {
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
