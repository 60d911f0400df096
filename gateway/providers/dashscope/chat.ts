import { chatUnits } from "../../core/chat/chat-usage.ts";
import { FieldRules } from "../../core/keys/key-reach.ts";
import { chatBody } from "../openai-compatible/chat.ts";
import { bearerHeaders } from "../wire-request.ts";
import type { DialectCall } from "../wire-request.ts";
import { plainRoles } from "../openai-compatible/plain-messages.ts";
import { CHAT_FILES, CHAT_TOOLS } from "../openai-compatible/reaches.ts";
import type { DialectAdapter } from "../provider.ts";
import { allows, bounds } from "./output.ts";

/** Documents of Qwen-Long are named by `fileid://` in a system message. */
const reaches = new FieldRules({
  hosted_tool: [CHAT_TOOLS, "enable_search", "enable_code_interpreter"],
  stored_object: [
    ...CHAT_FILES,
    ["messages[].content", /^\s*fileid:/i],
    ["messages[].content[].text", /^\s*fileid:/i],
    ["messages[].content[].image_url.url", /^oss:/i],
    ["messages[].content[].video_url.url", /^oss:/i],
  ],
});

/** The compatible mode (docs/providers/dashscope.md#chat). */
export const chat: DialectAdapter = {
  reaches,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/compatible-mode/v1/chat/completions",
    headers: bearerHeaders(secret),
    body: chatBody(call, { ...thinking(call), ...bounds(call), ...plainRoles(call.body) }),
  }),
  allows,
  toUnits: chatUnits,
};

/**
 * Most models think or not by `enable_thinking` and know no effort (catalog/dashscope.ts): every effort but `none` asks
 * them to think. What the client says in DashScope's own words stands, and models that do take efforts get them. That a
 * model which only the provider's list knows thinks by the same field is a guess.
 */
function thinking({ body, model }: DialectCall): Readonly<Record<string, unknown>> {
  const effort = body["reasoning_effort"];
  if (effort === undefined || (model?.reasoning?.efforts.length ?? 0) > 0) return {};
  const thinks = model === null || model.reasoning !== undefined;
  if (typeof effort !== "string" || !thinks || body["enable_thinking"] !== undefined)
    return { reasoning_effort: undefined };
  return { reasoning_effort: undefined, enable_thinking: effort !== "none" };
}
