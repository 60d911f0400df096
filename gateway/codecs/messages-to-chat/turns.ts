import type { Document } from "../translation.ts";
import { blocksOf, recordsOf } from "./fields.ts";
import { reminder, systemText } from "./system-text.ts";

/**
 * What one side says until the other one answers: Anthropic joins messages of the same role
 * (docs/dialects.md#chat-request-to-messages).
 */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly blocks: Document[];
}

/**
 * Messages as turns. System messages in the middle become a part of the user's turn, so that tool results still come
 * right behind the calls that they answer, wherever Claude Code put its entry (docs/clients.md#claude-code).
 */
export function turnsOf(messages: unknown): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of recordsOf(messages)) {
    const role = message["role"] === "assistant" ? "assistant" : "user";
    const blocks = message["role"] === "system" ? reminderBlocks(message["content"]) : blocksOf(message["content"]);
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else turns.push({ role, blocks: [...blocks] });
  }
  return turns;
}

function reminderBlocks(content: unknown): readonly Document[] {
  const text = systemText(content);
  return text === "" ? [] : [{ type: "text", text: reminder(text) }];
}
