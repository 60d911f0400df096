import { BILLING_LINE } from "../../core/chat/billing-line.ts";
import type { Document } from "../translation.ts";
import { buildAssistantMessage } from "./assistant-turn.ts";
import { readRecord, readRecords, readText, readBlocks } from "./fields.ts";
import type { ToolNames } from "./tool-names.ts";
import { buildUserMessages } from "./user-turn.ts";
import type { Calls } from "./user-turn.ts";

/**
 * Returns the text of a `system` field, or of a `role: "system"` message, without Claude Code's billing line
 * (docs/clients.md#claude-code). It is a single text, because not every server accepts parts in a system message.
 */
function formatSystemText(content: unknown): string {
  return readBlocks(content)
    .map((block) => (readText(block["text"]) ?? "").replace(BILLING_LINE, ""))
    .filter((text) => text !== "")
    .join("\n\n");
}

const OPENING = "<system-reminder>";

/** Wraps a mid-conversation system message in the form that models know from Claude Code. */
function getReminder(text: string): string {
  return text.startsWith(OPENING) ? text : `${OPENING}\n${text}\n</system-reminder>`;
}

const NO_CALLS: Calls = new Map();

/**
 * Converts `system` and `messages` of a Messages request to chat messages: one leading system message, then turn by
 * turn.
 */
export function buildChatMessages(body: Document, names: ToolNames): readonly Document[] {
  const messages: Document[] = [];
  const system = formatSystemText(body["system"]);
  if (system !== "") messages.push({ role: "system", content: system });
  let calls = NO_CALLS;
  for (const turn of readTurns(body["messages"])) {
    if (turn.role === "user") {
      messages.push(...buildUserMessages(turn.blocks, calls));
      calls = NO_CALLS;
      continue;
    }
    const message = buildAssistantMessage(turn.blocks, names);
    if (message === null) continue;
    messages.push(message);
    calls = readCalls(message);
  }
  // Providers refuse a conversation that is empty or has only instructions.
  if (messages.every((message) => message["role"] === "system")) messages.push({ role: "user", content: "" });
  return messages;
}

function readCalls(message: Document): Calls {
  const calls = readRecords(message["tool_calls"]);
  if (calls.length === 0) return NO_CALLS;
  return new Map(
    calls.map((call) => [readText(call["id"]) ?? "", readText(readRecord(call["function"])["name"]) ?? "unnamed"]),
  );
}

/**
 * Consecutive messages of one side: Anthropic joins messages of the same role
 * (docs/dialects.md#chat-request-to-messages).
 */
interface Turn {
  readonly role: "user" | "assistant";
  readonly blocks: Document[];
}

/**
 * Reads messages as turns. System messages in the middle become a part of the user's turn, so that tool results
 * directly follow their calls, wherever Claude Code placed the message (docs/clients.md#claude-code).
 */
function readTurns(messages: unknown): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of readRecords(messages)) {
    const role = message["role"] === "assistant" ? "assistant" : "user";
    const blocks =
      message["role"] === "system" ? buildReminderBlocks(message["content"]) : readBlocks(message["content"]);
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else turns.push({ role, blocks: [...blocks] });
  }
  return turns;
}

function buildReminderBlocks(content: unknown): readonly Document[] {
  const text = formatSystemText(content);
  return text === "" ? [] : [{ type: "text", text: getReminder(text) }];
}
