import { chatUnits } from "../../core/chat/chat-usage.ts";
import { FieldRules } from "../../core/keys/key-reach.ts";
import { chatBody, withoutFields } from "../openai-compatible/chat.ts";
import { bearerHeaders } from "../wire-request.ts";
import type { DialectCall } from "../wire-request.ts";
import { plainMessages } from "../openai-compatible/plain-messages.ts";
import { CHAT_FILES, CHAT_TOOLS } from "../openai-compatible/reaches.ts";
import { allowedInChat, boundedBy, needsBound } from "../output-bound.ts";
import type { BoundField } from "../output-bound.ts";
import type { DialectAdapter } from "../provider.ts";
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
    headers: bearerHeaders(secret),
    body: chatBody(call, overrides(call)),
  }),
  allows: allowedInChat,
  toUnits: (usage) => chatUnits(usage, "beside"),
};

/**
 * The layer refuses fields that it does not know ("Unknown name …: Cannot find field."). `store`, `metadata` and
 * `web_search_options` were seen to be refused; the others are of the same kind: OpenAI's own service, not the response.
 */
const REFUSED = [
  "store",
  "metadata",
  "web_search_options",
  "prediction",
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "safety_identifier",
  "moderation",
  "verbosity",
] as const;

/** Google counts thoughts within it (github.com/googleapis/python-genai/issues/2062). */
const BOUND: readonly BoundField[] = ["max_tokens"];

/** Of earlier answers, which clients give back as they got them, whoever gave them. */
const REFUSED_IN_MESSAGES = ["reasoning_content", "reasoning", "thinking_blocks", "refusal", "annotations"] as const;

function overrides(call: DialectCall): Readonly<Record<string, unknown>> {
  const plain = plainMessages(call.body["messages"], REFUSED_IN_MESSAGES);
  const messages = withSignatures(plain ?? call.body["messages"], call.upstreamModel) ?? plain;
  return {
    ...withoutFields(call.body, REFUSED),
    ...(messages === undefined ? {} : { messages }),
    ...(needsBound(call) ? boundedBy(call, BOUND) : {}),
  };
}
