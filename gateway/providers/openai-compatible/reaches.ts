import { FieldRules } from "../../core/keys/key-reach.ts";
import type { FieldPath } from "../../core/keys/key-reach.ts";

/** Tools of a chat request that the client runs itself; every other type runs at the provider. */
export const CHAT_TOOLS: FieldPath = ["tools[].type", /^(?!(function|custom)$)/];

/** Files and sounds of the chat API that lie in the provider's account. */
export const CHAT_FILES: readonly FieldPath[] = [
  "messages[].content[].file.file_id",
  "messages[].content[].file_id",
  "messages[].audio.id",
];

/** Routers take several models, and choose whom they ask at which price. */
const ROUTED_MODELS: readonly FieldPath[] = ["models[]", "fallbacks[]", "fallbacks[].model"];
const ROUTING: readonly FieldPath[] = ["route", "provider", "plugins", ["model", /:online$/]];

/**
 * An unknown server may be a relay to all providers, so this combines what OpenRouter, LiteLLM, Moonshot, Zhipu and
 * Perplexity accept with the providers' own adapters.
 */
export const chatReaches = new FieldRules({
  model: [...ROUTED_MODELS, "tools[].model"],
  hosted_tool: [
    CHAT_TOOLS,
    ...ROUTING,
    "web_search_options",
    "search_parameters",
    "enable_search",
    "enable_code_interpreter",
    "mcp_servers",
    "extra_body.google.tools",
  ],
  stored_object: [
    ...CHAT_FILES,
    ["store", /^true$/],
    "deferred",
    "preset",
    "prompt_id",
    "container",
    "previous_response_id",
    "cached_content",
    "extra_body.google.cached_content",
    ["messages[].content", /^\s*fileid:/i],
    ["messages[].content[].image_url.url", /^(ms|oss|gs|asset|files?):|^files\//i],
    ["messages[].content[].video_url.url", /^(ms|oss|gs|asset|files?):|^files\//i],
  ],
});

/** Embeddings and images that a router serves. */
export const routedReaches = new FieldRules({ model: ROUTED_MODELS, hosted_tool: ROUTING });

/** Edits: the pictures may lie in the provider's account. */
export const editReaches = new FieldRules({
  model: ROUTED_MODELS,
  hosted_tool: ROUTING,
  stored_object: ["images[].file_id", "mask.file_id"],
});

/** Video fields in OpenAI's format. */
export const videoReaches = new FieldRules({
  model: ROUTED_MODELS,
  hosted_tool: ROUTING,
  stored_object: ["input_reference.file_id", "remix_video_id", "video.id", "characters[].id"],
});
