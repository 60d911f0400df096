import { LONGEST_ANTHROPIC_NAME, ToolNames } from "../messages-to-chat/tool-names.ts";
import type { Translate } from "../translation.ts";
import { buildChatResponse } from "./response.ts";
import type { RequestFacts } from "./response.ts";
import { buildClaudeRequest } from "./request.ts";
import { ChatStream } from "./stream.ts";

/**
 * A client speaks the common chat dialect, its provider Anthropic's Messages dialect
 * (docs/dialects.md#chat-request-to-messages and what follows there).
 * @throws GatewayError for what Claude models do not take: audio, video, `n` above 1 (400).
 */
export const chatToMessages: Translate = (body, context) => {
  const names = new ToolNames(LONGEST_ANTHROPIC_NAME);
  const { body: request, outputTool } = buildClaudeRequest(body, context, names);
  const facts: RequestFacts = { context, names, outputTool };
  return {
    body: request,
    response: (response, units) => buildChatResponse(response, facts, units),
    stream: () => new ChatStream(facts),
  };
};
