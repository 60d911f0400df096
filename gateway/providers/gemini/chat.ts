import { createChatUnits } from "../../core/chat/chat-usage.ts";
import { FieldRules } from "../../core/keys/key-reach.ts";
import { buildChatBody } from "../openai-compatible/chat.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import type { DialectCall } from "../wire-request.ts";
import { buildOwnChat } from "../own-chat.ts";
import { OWN_TRAITS } from "../openai-compatible/server-table.ts";
import { CHAT_FILES, CHAT_TOOLS } from "../openai-compatible/reaches.ts";
import { allowedInChat, setBound, needsBound } from "../output-bound.ts";
import type { BoundField } from "../output-bound.ts";
import type { DialectAdapter } from "../provider.ts";
import { findLeastCached } from "./least-cached.ts";
import { withSignatures } from "./thought-signatures.ts";

/** A file of the account, by its name, its address or its place in Cloud Storage. */
const FILE = /^gs:|^files\/|^https:\/\/generativelanguage\.googleapis\.com\//i;

const reaches = new FieldRules({
  hosted_tool: [
    CHAT_TOOLS,
    "tools[].google_search",
    "tools[].googleSearch",
    "tools[].url_context",
    "tools[].urlContext",
    "tools[].code_execution",
    "tools[].codeExecution",
    "extra_body.google.tools",
  ],
  stored_object: [
    ...CHAT_FILES,
    "cached_content",
    "extra_body.google.cached_content",
    "extra_body.google.cachedContent",
    ["messages[].content[].image_url.url", FILE],
    ["messages[].content[].file.file_uri", FILE],
  ],
});

/**
 * Google's layer for OpenAI clients (docs/providers/gemini.md#layer-for-openai-clients). Google's own extras
 * (`extra_body.google`, tool calls' `extra_content`) pass through both ways.
 */
export const chat: DialectAdapter = {
  reaches,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/v1beta/openai/chat/completions",
    headers: buildBearerHeaders(secret),
    body: buildChatBody(call, overrides(call)),
  }),
  allows: allowedInChat,
  cachesUnmarkedFrom: findLeastCached,
  toUnits: (usage) => createChatUnits(usage, "beside"),
};

/** Google counts thoughts within it (github.com/googleapis/python-genai/issues/2062). */
const BOUND: readonly BoundField[] = ["max_tokens"];

function overrides(call: DialectCall): Readonly<Record<string, unknown>> {
  const own = buildOwnChat(call, OWN_TRAITS.gemini);
  const messages = withSignatures(own["messages"] ?? call.body["messages"], call.upstreamModel);
  return {
    ...own,
    ...(messages === undefined ? {} : { messages }),
    ...(needsBound(call) ? setBound(call, BOUND) : {}),
  };
}
