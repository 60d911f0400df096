import type { Translate } from "../translation.ts";
import { buildResponsesRequest } from "./request.ts";
import { buildChatCompletion } from "./response.ts";
import { ChatChunks } from "./stream.ts";

/**
 * Translates between a chat client and a provider with OpenAI's Responses dialect
 * (docs/dialects.md#chat-request-to-responses and the sections after it).
 * @throws GatewayError for unsupported features: audio, `n` above 1, `functions` (400).
 */
export const chatToResponses: Translate = (body, context) => ({
  body: buildResponsesRequest(body, context),
  response: (response, units) => buildChatCompletion(response, context, units),
  stream: () => new ChatChunks(context),
});
