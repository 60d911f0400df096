import { blocksOf, textOf } from "./fields.ts";

/** Claude Code's attribution line, first in `system`: it changes per run and is meant for Anthropic alone. */
const BILLING_LINE = /^\s*x-anthropic-billing-header:[^\n]*\n*/i;

/**
 * The text of a `system` field, or of a `role: "system"` message, without Claude Code's billing line
 * (docs/clients.md#claude-code). One text, because not every server takes parts in a system message.
 */
export function systemText(content: unknown): string {
  return blocksOf(content)
    .map((block) => (textOf(block["text"]) ?? "").replace(BILLING_LINE, ""))
    .filter((text) => text !== "")
    .join("\n\n");
}

const OPENING = "<system-reminder>";

/** A system message from the middle of a conversation in the form that models know from Claude Code. */
export function reminder(text: string): string {
  return text.startsWith(OPENING) ? text : `${OPENING}\n${text}\n</system-reminder>`;
}
