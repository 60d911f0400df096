import type { Provider, DialectAdapter, ModelsAdapter } from "../provider.ts";
import { normalizeVersioned } from "../openai-compatible/base-url.ts";
import { catalog } from "./catalog.ts";
import { credit } from "./credit.ts";
import { errors } from "./errors.ts";
import { profile } from "./profile.ts";
import { createChatUnits } from "../../core/chat/chat-usage.ts";
import { FieldRules } from "../../core/keys/key-reach.ts";
import { buildChatBody } from "../openai-compatible/chat.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import { buildOwnChat } from "../own-chat.ts";
import { OWN_TRAITS } from "../openai-compatible/server-table.ts";
import { CHAT_FILES, CHAT_TOOLS } from "../openai-compatible/reaches.ts";
import { allowedInChat, setBound } from "../output-bound.ts";
import type { BoundField } from "../output-bound.ts";
import { ALL_KINDS, models as compatible } from "../openai-compatible/models.ts";

const models: ModelsAdapter = { ...compatible, whole: ALL_KINDS };

const reaches = new FieldRules({ hosted_tool: [CHAT_TOOLS], stored_object: CHAT_FILES });

/**
 * OpenAI's format (https://api-docs.deepseek.com/api/create-chat-completion, read 2026-11-23). DeepSeek's own
 * `thinking` is forwarded. So is the `reasoning_content` of earlier turns: V3 refused it, but V4 refuses turns with
 * tool calls without it ("must be passed back to the API", guides/thinking_mode).
 */
export const chat: DialectAdapter = {
  reaches,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/chat/completions",
    headers: buildBearerHeaders(secret),
    body: buildChatBody(call, { ...buildOwnChat(call, OWN_TRAITS.deepseek), ...setBound(call, BOUND) }),
  }),
  allows: allowedInChat,
  // `prompt_cache_hit_tokens` and `prompt_cache_miss_tokens` add up to `prompt_tokens`; reasoning is a part of the rest.
  toUnits: createChatUnits,
};

/** It bounds reasoning too (https://api-docs.deepseek.com/guides/reasoning_model); DeepSeek documents no other. */
const BOUND: readonly BoundField[] = ["max_tokens"];

/** DeepSeek's own API (https://api-docs.deepseek.com), in its OpenAI format. */
export const provider: Provider = {
  ...profile,
  catalog,
  normalizeBaseUrl: normalizeVersioned,
  models,
  errors,
  findCredit: () => credit,
  // Calls at the same time are limited for each model (https://api-docs.deepseek.com/quick_start/pricing).
  rateScope: "model",
  chat,
  messages: null,
  responses: null,
  embeddings: null,
  speech: null,
  images: null,
  edits: null,
  videos: null,
  transcriptions: null,
  moderations: null,
};
