import { createChatUnits } from "../../core/chat/chat-usage.ts";
import { FieldRules } from "../../core/keys/key-reach.ts";
import { buildChatBody, withoutFields } from "../openai-compatible/chat.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import type { DialectCall } from "../wire-request.ts";
import { buildOwnChat } from "../own-chat.ts";
import { OWN_TRAITS } from "../openai-compatible/server-table.ts";
import { CHAT_FILES, CHAT_TOOLS } from "../openai-compatible/reaches.ts";
import { allowedInChat, setBound, needsBound } from "../output-bound.ts";
import type { BoundField } from "../output-bound.ts";
import type { DialectAdapter } from "../provider.ts";

/** A deferred response is stored at xAI until it is fetched. */
const reaches = new FieldRules({
  hosted_tool: [CHAT_TOOLS, "web_search_options", "search_parameters"],
  stored_object: [...CHAT_FILES, ["store", /^true$/], "deferred", "previous_response_id"],
});

/** Reasoning tokens come next to `completion_tokens` (docs/providers/xai.md#chat). */
export const chat: DialectAdapter = {
  reaches,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/chat/completions",
    headers: buildBearerHeaders(secret),
    body: buildChatBody(call, {
      ...buildOwnChat(call, OWN_TRAITS.xai),
      ...withoutFields(call.body, listRefusedFields(call)),
      ...(needsBound(call) ? setBound(call, BOUND) : {}),
    }),
  }),
  allows: allowedInChat,
  toUnits: (usage) => createChatUnits(usage, "beside"),
};

/** "An upper bound for the number of tokens that can be generated for a completion, including […] reasoning tokens" (docs.x.ai). */
const BOUND: readonly BoundField[] = ["max_completion_tokens"];

const SAMPLING = ["presence_penalty", "frequency_penalty", "stop"] as const;
const EFFORT = ["reasoning_effort"] as const;
const SAMPLING_AND_EFFORT = [...SAMPLING, ...EFFORT] as const;

/**
 * Reasoning models refuse penalties and `stop`, and most models refuse `reasoning_effort`, with a 400
 * (docs/providers/xai.md#chat). Models that are only in the provider's list are judged by their name.
 */
function listRefusedFields({ model, upstreamModel }: DialectCall): readonly string[] {
  const hasNoDial = NO_DIAL.test(upstreamModel);
  if (model === null) return hasNoDial ? EFFORT : [];
  if (model.reasoning === undefined) return EFFORT;
  return hasNoDial ? SAMPLING_AND_EFFORT : SAMPLING;
}

/**
 * Models without a reasoning effort (docs/providers/xai.md#chat; grok-3-mini, grok-4.3 and later have one): Grok 4, its
 * fast variants and Grok Code Fast in all versions, Grok 4.20 except its multi-agent variant.
 */
const NO_DIAL = /^grok-(4(-|$)|code-fast|4\.20(?!-multi-agent))/;
