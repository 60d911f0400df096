import { chatUnits } from "../../core/chat/chat-usage.ts";
import { chatBody } from "../openai-compatible/chat.ts";
import { bearerHeaders } from "../openai-compatible/headers.ts";
import type { DialectAdapter, DialectCall } from "../vendor.ts";

export const chat: DialectAdapter = {
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/chat/completions",
    headers: bearerHeaders(secret),
    body: chatBody(call, overrides(call)),
  }),
  toUnits: chatUnits,
};

const NONE = {};

/** OpenAI's reasoning models refuse `max_tokens`, which older clients send: `max_completion_tokens` means the same to them. */
function overrides(call: DialectCall): Readonly<Record<string, unknown>> {
  const limit = call.body["max_tokens"];
  if (limit === undefined || limit === null || call.model?.reasoning === undefined) return NONE;
  return { max_tokens: undefined, max_completion_tokens: call.body["max_completion_tokens"] ?? limit };
}
