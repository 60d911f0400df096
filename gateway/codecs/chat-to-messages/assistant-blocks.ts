import { readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import { parsedArguments } from "../messages-to-chat/tool-arguments.ts";
import { cleanToolId } from "../messages-to-chat/tool-ids.ts";
import type { ToolNames } from "../messages-to-chat/tool-names.ts";
import type { Document } from "../translation.ts";
import { buildContentBlocks } from "./content-blocks.ts";

/**
 * Converts an assistant's chat message to blocks: thinking, text, calls. `thinking_blocks`, which responses of this
 * codec have, carry Anthropic's signatures; `reasoning_content` has no signature, and is sent to relays that need it
 * (providers/anthropic).
 */
export function buildAssistantBlocks(message: Document, names: ToolNames, param: string): readonly Document[] {
  const refusal = readText(message["refusal"]);
  const content = buildContentBlocks(withoutThoughts(message["content"]), `${param}.content`);
  const signed = readRecords(message["thinking_blocks"]).filter(isSigned).map(buildThinkingBlock);
  const thought = readText(message["reasoning_content"]) ?? readText(message["reasoning"]) ?? "";
  return [
    ...(signed.length === 0 && thought !== "" ? [{ type: "thinking", thinking: thought, signature: "" }] : signed),
    ...(content.length === 0 && refusal !== null ? buildContentBlocks(refusal, param) : content),
    ...readRecords(message["tool_calls"]).flatMap((call) => buildToolUse(call, names)),
  ];
}

/** Mistral's reasoning is part of the content and has no signature. */
function withoutThoughts(content: unknown): unknown {
  return Array.isArray(content) ? content.filter((part) => readRecord(part)["type"] !== "thinking") : content;
}

function isSigned(block: Document): boolean {
  if (block["type"] === "redacted_thinking") return readText(block["data"]) !== null;
  return block["type"] === "thinking" && readText(block["signature"]) !== null;
}

/** Known fields only: Anthropic refuses others in thinking. */
function buildThinkingBlock(block: Document): Document {
  if (block["type"] === "redacted_thinking") return { type: "redacted_thinking", data: block["data"] };
  return { type: "thinking", thinking: readText(block["thinking"]) ?? "", signature: block["signature"] };
}

function buildToolUse(call: Document, names: ToolNames): readonly Document[] {
  const declared = readRecord(call["function"]);
  const name = readText(declared["name"]);
  if (name === null) return [];
  const block: Document = {
    type: "tool_use",
    id: cleanToolId(readText(call["id"]) ?? ""),
    name: names.toProvider(name),
    input: parsedArguments(readText(declared["arguments"]) ?? ""),
  };
  return [call["cache_control"] == null ? block : { ...block, cache_control: call["cache_control"] }];
}
