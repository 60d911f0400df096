import type { Document } from "../translation.ts";
import { OpenCalls } from "../open-calls.ts";
import { readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import { withSignature } from "../messages-to-chat/tool-ids.ts";
import { buildMediaBlock } from "./media.ts";
import { readPartSignature } from "./signatures.ts";

/**
 * Converts `contents` to turns of Anthropic's format. Calls and results are matched by id; without ids by name and
 * order, and ids are derived from the calls' positions, so that the same conversation always gives the same ids and
 * providers' caches hit.
 */
export function buildTurns(contents: unknown): readonly Document[] {
  let made = 0;
  let open = new OpenCalls();
  return readRecords(contents).flatMap((content) => {
    const parts = readRecords(content["parts"]);
    if (content["role"] !== "model")
      return [{ role: "user", content: parts.flatMap((part) => buildUserBlocks(part, open)) }];
    if (parts.some(isCall)) open = new OpenCalls();
    const blocks = parts.flatMap((part) => buildModelBlocks(part, () => `call_${(made += 1)}`, open));
    return [{ role: "assistant", content: blocks }];
  });
}

const isCall = (part: Document): boolean => readText(readRecord(part["functionCall"])["name"]) !== null;

function buildModelBlocks(part: Document, makeId: () => string, open: OpenCalls): readonly Document[] {
  const signature = readPartSignature(part["thoughtSignature"]);
  const text = readText(part["text"]);
  const carried = signature !== null && "carried" in signature ? signature.carried : null;
  if (part["thought"] === true)
    return text === null && carried === null
      ? []
      : [{ type: "thinking", thinking: text ?? "", signature: carried ?? "" }];
  const thoughts = carried === null ? [] : [{ type: "thinking", thinking: "", signature: carried }];
  const call = readRecord(part["functionCall"]);
  const name = readText(call["name"]);
  if (name !== null) {
    const given = readText(call["id"]);
    const own = signature !== null && "own" in signature ? signature.own : null;
    const id = given !== null && own === null ? given : withSignature(given ?? makeId(), own);
    open.add(given, name, id);
    return [...thoughts, { type: "tool_use", id, name, input: readRecord(call["args"]) }];
  }
  const words = text ?? findRunCode(part);
  return words === null ? thoughts : [...thoughts, { type: "text", text: words }];
}

/** Returns code that ran at Google, and its result, as text: no other provider supports them. */
function findRunCode(part: Document): string | null {
  const { code, language } = readRecord(part["executableCode"]);
  if (typeof code === "string") return `\`\`\`${(readText(language) ?? "").toLowerCase()}\n${code}\n\`\`\``;
  return readText(readRecord(part["codeExecutionResult"])["output"]);
}

function buildUserBlocks(part: Document, open: OpenCalls): readonly Document[] {
  const result = readRecord(part["functionResponse"]);
  if (Object.keys(result).length > 0) return [buildResult(result, open)];
  const medium = buildMediaBlock(part);
  if (medium !== null) return [medium];
  const text = readText(part["text"]) ?? findRunCode(part);
  return text === null ? [] : [{ type: "text", text }];
}

function buildResult(result: Document, open: OpenCalls): Document {
  const id = readText(result["id"]);
  const name = readText(result["name"]);
  const call = open.take(id, name);
  const { text, isError } = readOutcome(readRecord(result["response"]));
  const media = readRecords(result["parts"]).flatMap((part) => buildMediaBlock(part) ?? []);
  return {
    type: "tool_result",
    tool_use_id: call ?? id ?? name ?? "",
    content: media.length === 0 ? text : [...(text === "" ? [] : [{ type: "text", text }]), ...media],
    ...(isError ? { is_error: true } : {}),
  };
}

/** A result with only text becomes that text; Google's documentation gives the names `output` and `error`. */
const ALONE = ["output", "result", "error"] as const;

function readOutcome(response: Document): { readonly text: string; readonly isError: boolean } {
  const names = Object.keys(response);
  if (names.length === 0) return { text: "", isError: false };
  const only = names.length === 1 ? ALONE.find((name) => name === names[0]) : undefined;
  const value = only === undefined ? response : response[only];
  return { text: typeof value === "string" ? value : JSON.stringify(value), isError: only === "error" };
}
