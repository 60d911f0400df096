import { readRecords, readText } from "../messages-to-chat/fields.ts";
import { cleanToolId } from "../messages-to-chat/tool-ids.ts";
import type { ToolNames } from "../messages-to-chat/tool-names.ts";
import type { Document } from "../translation.ts";
import { buildAssistantBlocks } from "./assistant-blocks.ts";
import { buildContentBlocks, buildTextBlocks } from "./content-blocks.ts";

/** A chat history as Anthropic takes it. */
export interface Conversation {
  readonly system: readonly Document[];
  readonly messages: readonly Message[];
}

export interface Message {
  readonly role: "user" | "assistant";
  readonly content: Document[];
}

/**
 * Moves system and developer messages to `system` from any position. Messages of the same role are joined, tool results
 * become the first part of the user's turn, and the user's turn comes first
 * (docs/dialects.md#chat-request-to-messages).
 * @throws GatewayError for content that Claude models do not take (400).
 */
export function readConversation(messages: unknown, names: ToolNames): Conversation {
  const system: Document[] = [];
  const turns: Message[] = [];
  readRecords(messages).forEach((message, index) => {
    const param = `messages[${index}]`;
    switch (message["role"]) {
      case "system":
      case "developer":
        system.push(...buildTextBlocks(message["content"], `${param}.content`));
        break;
      case "assistant":
        append(turns, "assistant", buildAssistantBlocks(message, names, param));
        break;
      case "tool":
        append(turns, "user", [buildToolResult(message, param)]);
        break;
      default:
        append(turns, "user", buildContentBlocks(message["content"], `${param}.content`));
    }
  });
  for (const turn of turns) if (turn.role === "user") resultsFirst(turn.content);
  if (turns[0]?.role !== "user") turns.unshift({ role: "user", content: [{ type: "text", text: NO_FIRST_WORDS }] });
  return { system, messages: turns };
}

/** First user message if a history starts with the assistant, or has instructions only. */
const NO_FIRST_WORDS = "(The user has not written anything yet.)";

function append(turns: Message[], role: Message["role"], blocks: readonly Document[]): void {
  if (blocks.length === 0) return;
  const last = turns.at(-1);
  if (last?.role === role) last.content.push(...blocks);
  else turns.push({ role, content: [...blocks] });
}

/** A plain text stays one, so that short results are not blown up; parts become blocks. */
function buildToolResult(message: Document, param: string): Document {
  const content = message["content"];
  return {
    type: "tool_result",
    tool_use_id: cleanToolId(readText(message["tool_call_id"]) ?? ""),
    content: typeof content === "string" ? content : buildContentBlocks(content, `${param}.content`),
  };
}

function resultsFirst(blocks: Document[]): void {
  blocks.sort((one, other) => Number(other["type"] === "tool_result") - Number(one["type"] === "tool_result"));
}
