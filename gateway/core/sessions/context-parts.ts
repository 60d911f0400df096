import type { ContextParts } from "../../contract/context-parts.ts";
import { unitSides } from "../../contract/units.ts";
import type { ReceiptTerm } from "../../contract/receipt.ts";
import { isRecord } from "../../lib/records.ts";

/**
 * Parts of a request's context, by size. Tokens are not counted, which would take as long as validating the request.
 * The provider's count is divided in proportion to text lengths, accurate to about a fifth, because JSON, prose and
 * code differ in characters per token.
 */

type Fields = Readonly<Record<string, unknown>>;

/** A picture or another medium is no text: about as many tokens as 1,600 of them (core/money/prompt-tokens.ts). */
const MEDIUM = 6_400;
const MEDIA: ReadonlySet<unknown> = new Set([
  "image_url",
  "input_image",
  "image",
  "computer_screenshot",
  "input_audio",
  "audio_url",
  "video_url",
]);
/** Base64 characters per text character of a document, whose pages contain text and pictures. */
const BASE64_PER_CHARACTER = 50;

/** Tool results and files: as messages (chat), items (Responses), or blocks (Anthropic). */
const RESULTS: ReadonlySet<unknown> = new Set([
  "tool_result",
  "function_call_output",
  "custom_tool_call_output",
  "local_shell_call_output",
  "shell_call_output",
  "apply_patch_call_output",
  "computer_call_output",
  "mcp_call",
  "web_search_tool_result",
  "web_fetch_tool_result",
  "document",
  "file",
  "input_file",
]);

const DEFINITIONS = ["tools", "functions", "response_format", "text", "output_config"] as const;

/** Returns the characters of each part; empty for a request that is not a conversation. */
export function contextSizes(body: Fields): ContextParts {
  const sizes = { system: measureSize(body["system"] ?? body["instructions"]), tools: 0, results: 0, messages: 0 };
  for (const name of DEFINITIONS) sizes.tools += measureSize(body[name]);
  const turns = body["messages"] ?? body["input"];
  if (!Array.isArray(turns)) {
    sizes.messages = measureSize(turns);
    return sizes;
  }
  for (let index = 0; index < turns.length; index += 1) {
    const turn: unknown = turns[index];
    if (!isRecord(turn)) sizes.messages += measureSize(turn);
    else if (turn["role"] === "system" || turn["role"] === "developer") sizes.system += measureSize(turn["content"]);
    else if (turn["role"] === "tool" || turn["role"] === "function" || RESULTS.has(turn["type"]))
      sizes.results += measureSize(turn);
    else addTurn(sizes, turn);
  }
  return sizes;
}

/**
 * Divides the input tokens of a receipt in proportion to sizes, into whole numbers with the same sum; null if it has
 * none.
 */
export function sharedOut(terms: readonly ReceiptTerm[], sizes: ContextParts): ContextParts | null {
  let tokens = 0;
  for (const { unit, quantity } of terms) if (unitSides[unit] === "input") tokens += quantity;
  const { system, tools, results, messages } = sizes;
  const all = system + tools + results + messages;
  if (all === 0 || tokens <= 0) return null;
  const share = (size: number): number => Math.floor((tokens * size) / all);
  const parts = { system: share(system), tools: share(tools), results: share(results), messages: 0 };
  return { ...parts, messages: tokens - parts.system - parts.tools - parts.results };
}

function addTurn(sizes: { results: number; messages: number }, turn: Fields): void {
  for (const name in turn) {
    const value = turn[name];
    if (name !== "content" || !Array.isArray(value)) {
      if (name !== "role" && name !== "type" && name !== "id") sizes.messages += measureSize(value);
      continue;
    }
    for (let index = 0; index < value.length; index += 1) {
      const block: unknown = value[index];
      if (isRecord(block) && RESULTS.has(block["type"])) sizes.results += measureSize(block);
      else sizes.messages += measureSize(block);
    }
  }
}

/** Characters of all texts in a value and of the names next to them. The depth of bodies was limited before. */
function measureSize(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return value === undefined ? 0 : 4;
  let size = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) size += measureSize(value[index]);
    return size;
  }
  const fields = value as Fields;
  const type = fields["type"];
  if (MEDIA.has(type)) return MEDIUM;
  if (type === "document" || type === "file" || type === "input_file") return documentSize(fields);
  for (const name in fields) size += name.length + measureSize(fields[name]);
  return size;
}

/** A base64 file counts as its estimated content. */
function documentSize(block: Fields): number {
  let size = 0;
  for (const name in block) {
    const value = block[name];
    const inner = isRecord(value)
      ? (value["file_data"] ?? (value["type"] === "text" ? undefined : value["data"]))
      : null;
    const data = name === "file_data" ? value : inner;
    size += typeof data === "string" ? Math.max(MEDIUM, data.length / BASE64_PER_CHARACTER) : measureSize(value);
  }
  return Math.round(size);
}
