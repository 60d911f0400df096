import { chatUnits } from "../../core/chat/chat-usage.ts";
import { chatBody } from "../openai-compatible/chat.ts";
import { bearerHeaders } from "../openai-compatible/headers.ts";
import { plainRoles } from "../openai-compatible/plain-messages.ts";
import type { DialectAdapter } from "../vendor.ts";

/** OpenAI's shape; Ark's own `thinking` passes through like any other field (upstreams reference 6.4). */
export const chat: DialectAdapter = {
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/chat/completions",
    headers: bearerHeaders(secret),
    body: chatBody(call, plainRoles(call.body)),
  }),
  toUnits: (usage) => chatUnits(usage, "within"),
};
