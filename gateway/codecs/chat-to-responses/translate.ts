import type { Translate } from "../translation.ts";
import { buildResponsesRequest } from "./request.ts";
import { buildChatCompletion } from "./response.ts";
import { ChatChunks } from "./stream.ts";

/**
 * A client speaks the common chat dialect, its provider OpenAI's Responses dialect
 * (docs/dialects.md#chat-request-to-responses and what follows there).
 * @throws GatewayError for what the Responses API cannot say: audio, `n` above 1, `functions` (400).
 */
export const chatToResponses: Translate = (body, context) => ({
  body: buildResponsesRequest(body, context),
  response: (response, units) => buildChatCompletion(response, context, units),
  stream: () => new ChatChunks(context),
});
