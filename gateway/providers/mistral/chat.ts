import { createChatUnits } from "../../core/chat/chat-usage.ts";
import { FieldRules } from "../../core/keys/key-reach.ts";
import { buildBearerHeaders, renamedBody } from "../wire-request.ts";
import { CHAT_FILES, CHAT_TOOLS } from "../openai-compatible/reaches.ts";
import { allowedInChat, setBound } from "../output-bound.ts";
import type { BoundField } from "../output-bound.ts";
import type { DialectAdapter } from "../provider.ts";
import { buildOwnChat } from "../own-chat.ts";
import { OWN_TRAITS } from "../openai-compatible/server-table.ts";

const reaches = new FieldRules({ hosted_tool: [CHAT_TOOLS], stored_object: CHAT_FILES });

/**
 * OpenAI's shape, with Mistral's names for some fields. Mistral refuses every field that it does not know with a 422
 * (`extra_forbidden`; https://docs.mistral.ai/api, read 2026-11-23). Its own (`safe_prompt`, `prompt_mode`,
 * `prompt_cache_key`, …) pass.
 */
export const chat: DialectAdapter = {
  reaches,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/chat/completions",
    headers: buildBearerHeaders(secret),
    body: renamedBody(call, {
      ...buildOwnChat(call, OWN_TRAITS.mistral),
      ...setBound(call, BOUND),
    }),
  }),
  allows: allowedInChat,
  // `prompt_tokens_details.cached_tokens` is as at OpenAI; a breakdown of reasoning is not documented.
  toUnits: createChatUnits,
};

/** "The maximum number of tokens to generate in the completion"; `max_completion_tokens` does not exist. */
const BOUND: readonly BoundField[] = ["max_tokens"];
