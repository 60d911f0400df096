import { buildClaudeModel } from "../../codecs/chat-to-messages/claude-model.ts";
import type { ClaudeModel } from "../../codecs/chat-to-messages/claude-model.ts";
import { budgetedThinking, goesOnUnthought } from "../../codecs/chat-to-messages/thinking-budget.ts";
import { clampedEffort } from "../../codecs/messages-to-chat/efforts.ts";
import { isRecord } from "../../lib/records.ts";
import { isAnthropics } from "./signed-turns.ts";
import { readBound, finite, lower } from "../output-bound.ts";
import type { DialectCall } from "../wire-request.ts";

type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = {};
const USUAL_EFFORT = "medium";

/**
 * Returns the changes of a request's thinking for this model. A client of a route or an alias does not know the model:
 * Claude Code asks for adaptive thinking with an effort, which models before 4.6 refuse, as those after 4.6 refuse a
 * budget (https://github.com/docker/docker-agent/pull/3381, read 2026-11-24). A thinking budget is also refused within
 * tool calls of another model.
 * @param messages outgoing messages @returns changes of the body; null for no change
 */
export function buildOwnThinking(call: DialectCall, messages: unknown): Fields | null {
  const { thinking, output_config: config, context_management: management } = call.body;
  const requested = isRecord(thinking) ? thinking : NONE;
  const effort = isRecord(config) && typeof config["effort"] === "string" ? config["effort"] : null;
  if (requested["type"] !== "adaptive" && requested["type"] !== "enabled" && effort === null) return null;
  if (!isAnthropics(call)) {
    // Claude Code's sub-agents send both, and DeepSeek refuses the pair
    // (https://github.com/anthropics/claude-code/issues/65863, read 2026-11-28).
    return requested["type"] === "disabled" && isRecord(config) ? { output_config: withoutEffort(config) } : null;
  }
  const claude = buildClaudeModel(call.upstreamModel, call.model);
  const isKnown = effort === null || claude.efforts.includes(effort);
  if (claude.isAdaptive && requested["type"] !== "enabled" && isKnown) return null;
  const own = chooseThinking(call, claude, requested, effort);
  const isLeftOut = own === null || (own["type"] === "enabled" && goesOnUnthought(messages));
  const changes = {
    ...(isRecord(config) && effort !== null ? chooseEffort(call, claude, config, effort) : NONE),
    ...(own === requested && !isLeftOut ? NONE : { thinking: isLeftOut ? undefined : own }),
    ...(isLeftOut && management !== undefined ? { context_management: withoutClearing(management) } : NONE),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}

/** @returns null if there are too few tokens for it */
function chooseThinking(
  call: DialectCall,
  claude: ClaudeModel,
  requested: Fields,
  effort: string | null,
): Fields | null {
  if (requested["type"] === "enabled" && call.model !== null && !claude.takesSampling) return { type: "adaptive" };
  if (requested["type"] !== "adaptive" || claude.isAdaptive) return requested;
  const room = lower(readBound(call.body["max_tokens"]), finite(call.bound)) ?? 0;
  return budgetedThinking(effort ?? USUAL_EFFORT, room);
}

function chooseEffort(call: DialectCall, claude: ClaudeModel, config: Fields, effort: string): Fields {
  const efforts = call.model?.reasoning?.efforts ?? [];
  const takesEffort = claude.isAdaptive || efforts.length > 0;
  const own = takesEffort ? clampedEffort(effort, claude.efforts) : null;
  if (own === effort || (takesEffort && own === null)) return NONE;
  return { output_config: own === null ? withoutEffort(config) : { ...config, effort: own } };
}

function withoutEffort({ effort: _effort, ...rest }: Fields): Fields | undefined {
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/**
 * Returns the context management of a request without thinking: "`clear_thinking_20251015` strategy requires `thinking` to
 * be enabled or adaptive" (https://github.com/router-for-me/CLIProxyAPI/issues/4957, read 2026-11-24).
 */
function withoutClearing(management: unknown): unknown {
  if (!isRecord(management) || !Array.isArray(management["edits"])) return management;
  const edits = management["edits"].filter(
    (edit) => !isRecord(edit) || !String(edit["type"]).startsWith("clear_thinking_"),
  );
  return edits.length === 0 ? undefined : { ...management, edits };
}
