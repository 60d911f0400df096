import type { Document } from "../translation.ts";
import { recordOf, textOf } from "./fields.ts";
import { splitSignature } from "./tool-ids.ts";
import type { ToolNames } from "./tool-names.ts";

/**
 * An assistant's turn as one chat message; null where nothing of it can be said to another provider (a turn of redacted
 * thinking, or of tools that ran at Anthropic). Thinking goes on as `reasoning_content`, which providers that think
 * between their tool calls want back; its signature and redacted thinking are Anthropic's alone.
 * @param keepThinking whether the provider takes it at all.
 */
export function assistantMessage(
  blocks: readonly Document[],
  names: ToolNames,
  keepThinking: boolean,
): Document | null {
  let content = "";
  let before: unknown = null;
  const thinking: string[] = [];
  const calls: Document[] = [];
  for (const block of blocks) {
    const type = block["type"];
    if (type === "text") {
      const text = textOf(block["text"]) ?? "";
      // Texts side by side are one text that citations cut up; between others lies something else.
      content += content !== "" && text !== "" && before !== "text" ? `\n\n${text}` : text;
    } else if (type === "thinking" && keepThinking) {
      const text = textOf(block["thinking"]);
      if (text !== null) thinking.push(text);
    } else if (type === "tool_use") calls.push(toolCall(block, names));
    before = type;
  }
  if (content === "" && calls.length === 0 && thinking.length === 0) return null;
  return {
    role: "assistant",
    content: content === "" && calls.length > 0 ? null : content,
    ...(thinking.length === 0 ? {} : { reasoning_content: thinking.join("\n") }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function toolCall(block: Document, names: ToolNames): Document {
  const { id, signature } = splitSignature(textOf(block["id"]) ?? "");
  return {
    id,
    type: "function",
    function: {
      name: names.toProvider(textOf(block["name"]) ?? ""),
      arguments: JSON.stringify(recordOf(block["input"])),
    },
    ...(signature === null ? {} : { extra_content: { google: { thought_signature: signature } } }),
  };
}
