import type { Document } from "../translation.ts";
import { readBlocks, readText } from "./fields.ts";
import { readParts, buildTextPart } from "./content-parts.ts";
import { splitSignature } from "./tool-ids.ts";

/** Function names of the previous turn's calls, by the provider's call ids. */
export type Calls = ReadonlyMap<string, string>;

/**
 * Converts a user's turn to chat messages: tool results first, because they must directly follow their calls, then one
 * user message with the results' non-text content and everything else (docs/dialects.md#messages-request-to-chat).
 */
export function buildUserMessages(blocks: readonly Document[], calls: Calls): readonly Document[] {
  const results: Document[] = [];
  const moved: Document[] = [];
  const parts: Document[] = [];
  for (const block of blocks) {
    if (block["type"] !== "tool_result") {
      parts.push(...readParts(block));
      continue;
    }
    const result = readResult(block, calls);
    if (calls.has(result.id)) results.push({ role: "tool", tool_call_id: result.id, content: result.text });
    // Providers refuse a result without a call in the previous turn, so it is kept as text.
    else if (result.text !== "") parts.push(buildTextPart(`Result of ${result.name}:\n${result.text}`));
    moved.push(...result.media);
  }
  const content = [...moved, ...parts];
  if (content.length === 0 && results.length > 0) return results;
  return [...results, { role: "user", content: plain(content) }];
}

interface Result {
  readonly id: string;
  /** How a text names the call. */
  readonly name: string;
  readonly text: string;
  readonly media: readonly Document[];
}

/** Reads a result as text, which most providers require: images and files move on, after a note that names their call. */
function readResult(block: Document, calls: Calls): Result {
  const { id } = splitSignature(readText(block["tool_use_id"]) ?? "");
  const called = calls.get(id);
  const name = called === undefined ? `tool call ${id}` : `tool call ${id} (${called})`;
  const parts = readBlocks(block["content"]).flatMap(readParts);
  const texts = parts.flatMap((part) => (part["type"] === "text" ? [readText(part["text"]) ?? ""] : []));
  const media = parts.filter((part) => part["type"] !== "text");
  if (media.length > 0) texts.push("What this call returned beside text follows in the next message.");
  return {
    id,
    name,
    text: markError(texts.join("\n"), block["is_error"] === true),
    media: media.length === 0 ? [] : [buildTextPart(`Returned by ${name}:`), ...media],
  };
}

/** The chat dialect has no flag for a failed call, so the text states it, unless it already does. */
function markError(text: string, isError: boolean): string {
  return isError && !/^\W*(tool_use_)?error/i.test(text) ? `Error: ${text}` : text;
}

/** Returns a single text part as a plain string, which every server accepts. */
function plain(parts: readonly Document[]): unknown {
  const [first] = parts;
  if (first === undefined) return "";
  return parts.length === 1 && first["type"] === "text" ? first["text"] : parts;
}
