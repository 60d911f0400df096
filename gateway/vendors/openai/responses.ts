import { chatUnits } from "../../core/chat-usage.ts";
import { withTextField } from "../../lib/json-splice.ts";
import { isRecord } from "../../lib/records.ts";
import { bearerHeaders } from "../openai-compatible/headers.ts";
import type { DialectAdapter, DialectCall } from "../vendor.ts";

/**
 * OpenAI's own Responses API (upstreams reference 1.7): the client's bytes, unless the model goes by another name there.
 * Streams report their usage without being asked.
 */
export const responses: DialectAdapter = {
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/responses",
    headers: bearerHeaders(secret),
    body: bodyOf(call),
  }),
  toUnits: (usage) => (isRecord(usage) ? chatUnits(inChatTerms(usage), "within") : null),
};

function bodyOf(call: DialectCall): Buffer | string {
  if (call.raw !== null && !call.changed) {
    if (call.body["model"] === call.upstreamModel) return call.raw;
    const renamed = withTextField(call.raw, "model", call.upstreamModel);
    if (renamed !== null) return renamed;
  }
  return JSON.stringify({ ...call.body, model: call.upstreamModel });
}

/** The same figures under the names of the chat API: cached tokens are part of the input, reasoning of the output (0.3). */
function inChatTerms(usage: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    prompt_tokens: usage["input_tokens"],
    prompt_tokens_details: usage["input_tokens_details"],
    completion_tokens: usage["output_tokens"],
    completion_tokens_details: usage["output_tokens_details"],
    total_tokens: usage["total_tokens"],
  };
}
