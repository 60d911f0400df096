import { LEAST_BUDGET } from "../../codecs/chat-to-messages/thinking-budget.ts";
import { createMessagesUnits } from "../../core/chat/messages-usage.ts";
import { FieldRules } from "../../core/keys/key-reach.ts";
import { isRecord } from "../../lib/records.ts";
import { LEAST_OUTPUT, readAllowed, readBound, finite, lower } from "../output-bound.ts";
import { findTraits } from "../openai-compatible/server-table.ts";
import { buildSessionHeader } from "../session-header.ts";
import { renamedBody } from "../wire-request.ts";
import type { AllowedOutput, DialectCall, WireRequest } from "../wire-request.ts";
import type { CountingAdapter } from "../provider.ts";
import { buildOwnThinking } from "./own-thinking.ts";
import { changeForRelay } from "./relays.ts";
import { isAnthropics, signedTurns, unsignedTurns } from "./signed-turns.ts";
import { leastCached } from "./least-cached.ts";
import { buildAnthropicHeaders, forwardedHeaders } from "./headers.ts";

/** Matches tools that run at Anthropic: all but client tools and those that only search for client tools. */
const HOSTED = /^(?!(function|custom)$|bash_|text_editor_|computer_|memory_|tool_search_tool_)/;

const reaches = new FieldRules({
  model: ["tools[].model", "fallbacks[].model"],
  hosted_tool: [["tools[].type", HOSTED], "mcp_servers"],
  stored_object: [
    "container",
    "messages[].content[].file_id",
    "messages[].content[].source.file_id",
    "messages[].content[].content[].source.file_id",
  ],
});

/**
 * Anthropic's own dialect (docs/providers/anthropic.md). Betas are chosen by their header alone: `?beta=true`, which some
 * SDKs append to the path, is not passed on.
 */
export const messages: CountingAdapter = {
  reaches,
  toRequest: (call, secret) => wire("/v1/messages", call, secret),
  toCountRequest: (call, secret) => wire("/v1/messages/count_tokens", call, secret),
  allows,
  cachesFrom: leastCached,
  toUnits: createMessagesUnits,
};

function wire(path: string, call: DialectCall, secret: string | null): WireRequest {
  return {
    method: "POST",
    path,
    headers: { ...buildAnthropicHeaders(secret), ...forwardedHeaders(call.headers), ...relayHeader(call) },
    // Signatures of thinking, prompt caches and the position of the billing line depend on the client's own bytes
    // (docs/clients.md#claude-code).
    body: renamedBody(call, changes(call)),
  };
}

/** OpenCode Go wants its header in this dialect too (https://github.com/tingly-dev/tingly-box/pull/1715, 2026-09-08). */
function relayHeader(call: DialectCall): Readonly<Record<string, string>> {
  return buildSessionHeader(call, findTraits(call.origin, call.upstreamModel, false));
}

function changes(call: DialectCall): Readonly<Record<string, unknown>> {
  const messages = isAnthropics(call) ? signedTurns(call.body["messages"]) : unsignedTurns(call.body["messages"]);
  const thinking = buildOwnThinking(call, messages ?? call.body["messages"]);
  const bounded = buildBounds(thinking === null ? call : { ...call, body: { ...call.body, ...thinking } });
  const own = { ...thinking, ...bounded, ...(messages === undefined ? {} : { messages }) };
  return { ...own, ...changeForRelay(call, messages ?? call.body["messages"]) };
}

/** `max_tokens` includes thinking, so a thinking budget that no longer fits is lowered with it. */
function buildBounds({ body, bound }: DialectCall): Readonly<Record<string, unknown>> {
  const maxTokens = readBound(body["max_tokens"]);
  const most = lower(maxTokens, finite(bound));
  if (most === null || most === maxTokens) return {};
  const { thinking } = body;
  const budget = readBudget(thinking);
  if (!isRecord(thinking) || budget === null || budget < most) return { max_tokens: most };
  return {
    max_tokens: most,
    thinking: { ...thinking, budget_tokens: Math.max(LEAST_BUDGET, most - LEAST_OUTPUT) },
  };
}

function allows({ body, bound }: DialectCall): AllowedOutput {
  const maxTokens = readBound(body["max_tokens"]);
  const least = readBudget(body["thinking"]) === null ? LEAST_OUTPUT : LEAST_BUDGET + LEAST_OUTPUT;
  return readAllowed(lower(maxTokens, finite(bound)), 1, maxTokens, least);
}

function readBudget(thinking: unknown): number | null {
  return isRecord(thinking) && thinking["type"] === "enabled" ? readBound(thinking["budget_tokens"]) : null;
}
