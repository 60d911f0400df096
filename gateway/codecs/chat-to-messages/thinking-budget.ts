import { isRecord } from "../../lib/records.ts";
import { getBudgetOfEffort } from "../messages-to-chat/efforts.ts";
import { readRecords } from "../messages-to-chat/fields.ts";
import type { Document } from "../translation.ts";

/** Anthropic's min thinking budget, which must be below `max_tokens` (docs/providers/anthropic.md#messages). */
export const LEAST_BUDGET = 1_024;
/** Max share of `max_tokens` for thinking, which counts as part of it, so that a response is left. */
const MOST_OF_LIMIT = 0.8;

/**
 * Returns thinking in the form of Claude models before 4.6.
 * @param maxTokens max tokens of the request @returns the field `thinking`; null if the effort is `none`, or there are
 * too few tokens
 */
export function budgetedThinking(effort: string, maxTokens: number): Document | null {
  const budget = getBudgetOfEffort(effort);
  if (budget === null || maxTokens <= LEAST_BUDGET) return null;
  const most = Math.max(LEAST_BUDGET, Math.floor(maxTokens * MOST_OF_LIMIT));
  return { type: "enabled", budget_tokens: Math.min(budget, most) };
}

/**
 * Tells whether a conversation is within tool calls that another model started, or whose client dropped the thinking:
 * Anthropic then refuses thinking by budget, "a final `assistant` message must start with a thinking block"
 * (https://github.com/n8n-io/n8n/issues/22550, read 2026-11-24). Claude itself thinks once before its first call, and
 * later turns may have no thinking: a conversation that begins with thinking is unchanged. It thinks again after the
 * user's next message.
 * @param messages in Anthropic's dialect
 */
export function goesOnUnthought(messages: unknown): boolean {
  if (!Array.isArray(messages)) return false;
  const turns: readonly unknown[] = messages;
  const begins = turns.findLastIndex((turn) => isRecord(turn) && turn["role"] === "user" && !hasResult(turn));
  const reply = turns.slice(begins + 1).find((turn) => isRecord(turn) && turn["role"] === "assistant");
  const [first] = readBlocks(reply);
  const isSigned = first?.["type"] === "thinking" && first["signature"] !== "";
  return reply !== undefined && !isSigned && first?.["type"] !== "redacted_thinking";
}

const hasResult = (turn: unknown): boolean => readBlocks(turn).some(({ type }) => type === "tool_result");

const readBlocks = (turn: unknown): readonly Document[] => (isRecord(turn) ? readRecords(turn["content"]) : []);
