import { chatUnits } from "../../core/chat/chat-usage.ts";
import { isRecord } from "../../lib/records.ts";
import { bearerHeaders } from "../openai-compatible/headers.ts";
import { renamedBody } from "../renamed-body.ts";
import type { DialectAdapter } from "../vendor.ts";

/**
 * OpenAI's own Responses API (upstreams reference 1.7): the client's bytes, unless the model goes by another name there.
 * Streams report their usage without being asked.
 */
export const responses: DialectAdapter = {
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/responses",
    headers: bearerHeaders(secret),
    body: renamedBody(call),
  }),
  toUnits: (usage) => (isRecord(usage) ? chatUnits(inChatTerms(usage), "within") : null),
};

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
