import { chatUnits } from "../../core/chat-usage.ts";
import { chatBody } from "../openai-compatible/chat.ts";
import { bearerHeaders } from "../openai-compatible/headers.ts";
import type { DialectAdapter } from "../vendor.ts";

export const chat: DialectAdapter = {
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/v1beta/openai/chat/completions",
    headers: bearerHeaders(secret),
    body: chatBody(call, {}),
  }),
  toUnits: chatUnits,
};
