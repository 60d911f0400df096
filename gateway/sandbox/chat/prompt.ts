import type { Message } from "./request.ts";

/** Sections that agents write into a user's message: what they hold is not what the user asked for. */
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
 * Whether a message of the user only brings what a tool returned, or what an agent puts next to it: dialects that take no
 * pictures in results have them follow in a message of the user.
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

/** The last message that is no instruction: those may stand anywhere (docs/clients.md#claude-code). */
export function lastTurn(messages: readonly Message[]): Message | undefined {
  return messages.findLast((message, index) => message.role !== "system" && !bringsResults(messages, index));
}
