import type { Document } from "../translation.ts";
import { readCarried, joinThinking, formatThought } from "../carried-thinking.ts";
import type { CarriedThinking } from "../carried-thinking.ts";
import { readRecord, readText } from "./fields.ts";
import { splitSignature } from "./tool-ids.ts";
import type { ToolNames } from "./tool-names.ts";

/**
 * Converts an assistant's turn to one chat message; null if nothing in it can be sent to another provider (redacted
 * thinking, or Anthropic's hosted tools). Thinking is kept (`reasoning_content`), and each server gets the part it
 * accepts (providers/own-chat.ts); signatures and redacted thinking are Anthropic's only.
 */
export function buildAssistantMessage(blocks: readonly Document[], names: ToolNames): Document | null {
  let content = "";
  let before: unknown = null;
  const thinking: string[] = [];
  let carried: CarriedThinking = {};
  const calls: Document[] = [];
  for (const block of blocks) {
    const type = block["type"];
    if (type === "text") {
      const text = readText(block["text"]) ?? "";
      // Texts side by side are one text that citations cut up; between others lies something else.
      content += content !== "" && text !== "" && before !== "text" ? `\n\n${text}` : text;
    } else if (type === "thinking") {
      const text = readText(block["thinking"]);
      if (text !== null) thinking.push(text);
      carried = joinThinking(carried, readCarried(block["signature"]));
    } else if (type === "tool_use") calls.push(buildToolCall(block, names));
    before = type;
  }
  const thoughts = formatThought(thinking.join("\n"), carried);
  if (content === "" && calls.length === 0 && Object.keys(thoughts).length === 0) return null;
  return {
    role: "assistant",
    content: content === "" && calls.length > 0 ? null : content,
    ...thoughts,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function buildToolCall(block: Document, names: ToolNames): Document {
  const { id, signature } = splitSignature(readText(block["id"]) ?? "");
  return {
    id,
    type: "function",
    function: {
      name: names.toProvider(readText(block["name"]) ?? ""),
      arguments: JSON.stringify(readRecord(block["input"])),
    },
    ...(signature === null ? {} : { extra_content: { google: { thought_signature: signature } } }),
  };
}
