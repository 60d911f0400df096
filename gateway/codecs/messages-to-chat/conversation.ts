import type { Document } from "../translation.ts";
import { assistantMessage } from "./assistant-turn.ts";
import { recordOf, recordsOf, textOf } from "./fields.ts";
import { systemText } from "./system-text.ts";
import type { ToolNames } from "./tool-names.ts";
import { turnsOf } from "./turns.ts";
import { userMessages } from "./user-turn.ts";
import type { Calls } from "./user-turn.ts";

const NO_CALLS: Calls = new Map();

/**
 * `system` and `messages` of a Messages request as chat messages: one leading system message, then turn by turn.
 * @param keepThinking whether the provider takes the thinking of earlier turns.
 */
export function chatMessages(body: Document, names: ToolNames, keepThinking: boolean): readonly Document[] {
  const messages: Document[] = [];
  const system = systemText(body["system"]);
  if (system !== "") messages.push({ role: "system", content: system });
  let calls = NO_CALLS;
  for (const turn of turnsOf(body["messages"])) {
    if (turn.role === "user") {
      messages.push(...userMessages(turn.blocks, calls));
      calls = NO_CALLS;
      continue;
    }
    const message = assistantMessage(turn.blocks, names, keepThinking);
    if (message === null) continue;
    messages.push(message);
    calls = callsOf(message);
  }
  // Providers refuse a conversation of nothing but instructions, or of nothing at all.
  if (messages.every((message) => message["role"] === "system")) messages.push({ role: "user", content: "" });
  return messages;
}

function callsOf(message: Document): Calls {
  const calls = recordsOf(message["tool_calls"]);
  if (calls.length === 0) return NO_CALLS;
  return new Map(
    calls.map((call) => [textOf(call["id"]) ?? "", textOf(recordOf(call["function"])["name"]) ?? "unnamed"]),
  );
}
