import { budgetOfEffort, clampedEffort } from "../messages-to-chat/efforts.ts";
import { recordOf, textOf } from "../messages-to-chat/fields.ts";
import type { Document } from "../translation.ts";
import type { ClaudeModel } from "./claude-model.ts";
import type { Message } from "./conversation.ts";

/** How much a Claude model is to think. */
export interface Thinking {
  /** The field `thinking`; null: not sent. */
  readonly thinking: Document | null;
  /** `output_config.effort`; null: not sent. */
  readonly effort: string | null;
}

const NOT_SAID: Thinking = { thinking: null, effort: null };

/** Where thinking cannot be had, whatever the client asks for. */
interface Circumstances {
  readonly maxTokens: number;
  /** A call is forced: Anthropic then refuses thinking. */
  readonly forced: boolean;
  readonly messages: readonly Message[];
}

/**
 * `reasoning_effort` as Claude models know it: by effort from 4.6 on, by a budget of tokens before
 * (docs/dialects.md#chat-request-to-messages). A client that sends Anthropic's own `thinking` in a chat request is
 * taken at its word.
 */
export function thinkingOf(body: Document, claude: ClaudeModel, around: Circumstances): Thinking {
  const own = recordOf(body["thinking"]);
  const ownThinking = textOf(own["type"]) === null || around.forced ? null : own;
  const wanted = textOf(body["reasoning_effort"]);
  if (claude.isAdaptive) return adaptive(wanted, ownThinking, claude, around.forced);
  if (ownThinking !== null) return { thinking: ownThinking, effort: null };
  return wanted === null ? NOT_SAID : { thinking: budgeted(wanted, around), effort: null };
}

function adaptive(wanted: string | null, own: Document | null, claude: ClaudeModel, forced: boolean): Thinking {
  if (wanted === null) return { thinking: own, effort: null };
  if (wanted === "none") return { thinking: own ?? { type: "disabled" }, effort: null };
  const effort = clampedEffort(wanted, claude.efforts);
  if (effort === null) return { thinking: own, effort };
  return { thinking: own ?? (forced ? null : { type: "adaptive" }), effort };
}

/** Anthropic's least (docs/providers/anthropic.md#messages). */
const LEAST_BUDGET = 1_024;
/** Thinking is part of `max_tokens`: this much of it at most, so that there is a response as well. */
const MOST_OF_LIMIT = 0.8;

function budgeted(wanted: string, around: Circumstances): Document | null {
  const budget = budgetOfEffort(wanted);
  if (budget === null || around.forced || around.maxTokens <= LEAST_BUDGET) return null;
  if (continuesWithoutThinking(around.messages)) return null;
  const most = Math.max(LEAST_BUDGET, Math.floor(around.maxTokens * MOST_OF_LIMIT));
  return { type: "enabled", budget_tokens: Math.min(budget, most) };
}

/**
 * Whether the conversation goes on after a call that came without thinking blocks: most chat clients do not keep them,
 * and Anthropic then refuses thinking by budget ("a final `assistant` message must start with a thinking block").
 */
function continuesWithoutThinking(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  const answered = last?.role === "user" ? last.content.some((block) => block["type"] === "tool_result") : true;
  const assistant = messages.findLast((message) => message.role === "assistant");
  if (!answered || assistant === undefined) return false;
  const first = assistant.content[0]?.["type"];
  return first !== "thinking" && first !== "redacted_thinking";
}
