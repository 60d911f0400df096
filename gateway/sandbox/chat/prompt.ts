import type { Message } from "./request.ts";

/** Sections that agents insert into user messages, which are not the user's request. */
const SECTIONS = ["system-reminder", "environment_context", "user_instructions"] as const;

/** Returns the user's last text, without the sections of the user's agent; empty without a user's message. */
export function getPrompt(messages: readonly Message[]): string {
  return withoutSections(lastOfUser(messages)?.text ?? "");
}

/** The last message that is the user's own. */
export function lastOfUser(messages: readonly Message[]): Message | undefined {
  return messages[lastIndexOfUser(messages)];
}

/** The names of the tools that were called since then. */
export function listCallsSincePrompt(messages: readonly Message[]): string[] {
  const since = messages.slice(lastIndexOfUser(messages) + 1);
  return since.flatMap(({ calls }) => calls.map((call) => call.name));
}

function lastIndexOfUser(messages: readonly Message[]): number {
  return messages.findLastIndex((message, index) => message.role === "user" && !bringsResults(messages, index));
}

/**
 * Tells whether a user message only contains tool results, or what an agent adds to them: dialects without pictures in
 * results send them in a following user message.
 */
export function bringsResults(messages: readonly Message[], index: number): boolean {
  const message = messages[index];
  if (message?.role !== "user" || messages[index - 1]?.role !== "tool") return false;
  return message.attachments.length > 0 || withoutSections(message.text) === "";
}

/** `text` without the sections of agents, and without the space around it. */
export function withoutSections(text: string): string {
  return SECTIONS.reduce((left, name) => without(left, `<${name}>`, `</${name}>`), text).trim();
}

function without(text: string, opening: string, closing: string): string {
  let left = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf(opening, from);
    const end = start === -1 ? -1 : text.indexOf(closing, start);
    if (end === -1) return left + text.slice(from);
    left += text.slice(from, start);
    from = end + closing.length;
  }
}

/** Returns the last message that is not an instruction, which may be anywhere (docs/clients.md#claude-code). */
export function lastTurn(messages: readonly Message[]): Message | undefined {
  return messages.findLast((message, index) => message.role !== "system" && !bringsResults(messages, index));
}
