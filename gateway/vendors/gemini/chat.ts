import { chatUnits } from "../../core/chat/chat-usage.ts";
import { chatBody, withoutFields } from "../openai-compatible/chat.ts";
import { bearerHeaders } from "../openai-compatible/headers.ts";
import { plainMessages } from "../openai-compatible/plain-messages.ts";
import type { DialectAdapter, DialectCall } from "../vendor.ts";
import { numberCalls } from "./call-indices.ts";
import { withSignatures } from "./thought-signatures.ts";

/**
 * Google's layer for OpenAI clients (upstreams reference 4.5). Google's own extras (`extra_body.google`, tool calls'
 * `extra_content`) pass through both ways.
 */
export const chat: DialectAdapter = {
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/v1beta/openai/chat/completions",
    headers: bearerHeaders(secret),
    body: chatBody(call, overrides(call)),
  }),
  toUnits: (usage) => chatUnits(usage, "rest"),
  mend: numberCalls,
};

/**
 * The layer refuses fields that it does not know ("Unknown name …: Cannot find field."). `store`, `metadata` and
 * `web_search_options` were seen to be refused; the others are of the same kind: OpenAI's own service, not the answer.
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

/** Of earlier answers, which clients give back as they got them, whoever gave them. */
const REFUSED_IN_MESSAGES = ["reasoning_content", "reasoning", "refusal", "annotations"] as const;

function overrides(call: DialectCall): Readonly<Record<string, unknown>> {
  const plain = plainMessages(call.body["messages"], REFUSED_IN_MESSAGES);
  const messages = withSignatures(plain ?? call.body["messages"], call.upstreamModel) ?? plain;
  return { ...withoutFields(call.body, REFUSED), ...(messages === undefined ? {} : { messages }) };
}
