import { createChatUnits } from "../../core/chat/chat-usage.ts";
import { FieldRules } from "../../core/keys/key-reach.ts";
import { buildChatBody, withoutFields } from "../openai-compatible/chat.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import type { DialectCall } from "../wire-request.ts";
import { CHAT_FILES, CHAT_TOOLS } from "../openai-compatible/reaches.ts";
import { allowedInChat, setBound, isGiven } from "../output-bound.ts";
import { buildOwnChat } from "../own-chat.ts";
import { OWN_TRAITS } from "../openai-compatible/server-table.ts";
import type { BoundField } from "../output-bound.ts";
import type { DialectAdapter } from "../provider.ts";
import { getLeastCached } from "./least-cached.ts";

const reaches = new FieldRules({
  hosted_tool: [CHAT_TOOLS, "web_search_options"],
  stored_object: [...CHAT_FILES, ["store", /^true$/]],
});

export const chat: DialectAdapter = {
  reaches,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/chat/completions",
    headers: buildBearerHeaders(secret),
    body: buildChatBody(call, { ...buildOwnChat(call, OWN_TRAITS.openai), ...overrides(call) }),
  }),
  allows: allowedInChat,
  cachesUnmarkedFrom: getLeastCached,
  toUnits: createChatUnits,
};

const NONE = {};
const FOR_ALL: readonly BoundField[] = ["max_completion_tokens"];
const EARLIER: readonly BoundField[] = ["max_tokens"];
const PREDICTION = ["prediction"] as const;

/**
 * OpenAI's reasoning models refuse `max_tokens`, which older clients send: `max_completion_tokens` is its replacement,
 * and includes reasoning. Both together are refused.
 */
function overrides(call: DialectCall): Readonly<Record<string, unknown>> {
  const { body, model, bound } = call;
  const early = isGiven(body, "max_tokens");
  const late = isGiven(body, "max_completion_tokens");
  if (bound === null && (!early || (!late && model?.reasoning === undefined))) return NONE;
  // A model that only OpenAI's list names may reason; reasoning models accept both names.
  const keepsName = early && !late && model !== null && model.reasoning === undefined;
  const bounded = setBound(call, keepsName ? EARLIER : FOR_ALL);
  // Rejected prediction tokens are billed beyond any bound; without a prediction the response is only slower.
  return bound === null ? bounded : { ...bounded, ...withoutFields(body, PREDICTION) };
}
