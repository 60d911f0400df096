import { clampedEffort } from "../messages-to-chat/efforts.ts";
import { readRecord, readText } from "../messages-to-chat/fields.ts";
import type { Document } from "../translation.ts";
import type { ClaudeModel } from "./claude-model.ts";
import type { Message } from "./conversation.ts";
import { budgetedThinking, goesOnUnthought } from "./thinking-budget.ts";

/** How much a Claude model is to think. */
export interface Thinking {
  /** The field `thinking`; null: not sent. */
  readonly thinking: Document | null;
  /** `output_config.effort`; null: not sent. */
  readonly effort: string | null;
}

const NOT_SAID: Thinking = { thinking: null, effort: null };

/** Circumstances that rule out thinking, regardless of the request. */
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
export function readThinking(body: Document, claude: ClaudeModel, around: Circumstances): Thinking {
  const own = readRecord(body["thinking"]);
  const ownThinking = readText(own["type"]) === null || around.forced ? null : own;
  const effort = readText(body["reasoning_effort"]);
  if (claude.isAdaptive) return adaptive(effort, ownThinking, claude, around.forced);
  if (ownThinking !== null) return { thinking: ownThinking, effort: null };
  if (effort === null) return NOT_SAID;
  const cannot = around.forced || goesOnUnthought(around.messages);
  return { thinking: cannot ? null : budgetedThinking(effort, around.maxTokens), effort: null };
}

function adaptive(
  requestedEffort: string | null,
  own: Document | null,
  claude: ClaudeModel,
  forced: boolean,
): Thinking {
  if (requestedEffort === null) return { thinking: own, effort: null };
  if (requestedEffort === "none") return { thinking: own ?? { type: "disabled" }, effort: null };
  const effort = clampedEffort(requestedEffort, claude.efforts);
  if (effort === null) return { thinking: own, effort };
  return { thinking: own ?? (forced ? null : { type: "adaptive" }), effort };
}
