import { createChatUnits } from "../../core/chat/chat-usage.ts";
import { FieldRules } from "../../core/keys/key-reach.ts";
import { buildChatBody } from "../openai-compatible/chat.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import { buildOwnChat } from "../own-chat.ts";
import { OWN_TRAITS } from "../openai-compatible/server-table.ts";
import { CHAT_FILES, CHAT_TOOLS } from "../openai-compatible/reaches.ts";
import type { DialectAdapter } from "../provider.ts";
import { allows, buildBounds } from "./output.ts";

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
    headers: buildBearerHeaders(secret),
    body: buildChatBody(call, { ...buildOwnChat(call, OWN_TRAITS.dashscope), ...buildBounds(call) }),
  }),
  allows,
  toUnits: createChatUnits,
};
