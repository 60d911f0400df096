import type { Translate } from "../translation.ts";
import { responsesRequest } from "./request.ts";
import { chatCompletion } from "./response.ts";
import { ChatChunks } from "./stream.ts";

/**
 * A client speaks the common chat dialect, its provider OpenAI's Responses dialect
 * (docs/dialects.md#chat-request-to-responses and what follows there).
 * @throws GatewayError for what the Responses API cannot say: audio, `n` above 1, `functions` (400).
 */
export const chatToResponses: Translate = (body, context) => ({
  body: responsesRequest(body, context),
  response: (response, units) => chatCompletion(response, context, units),
  stream: () => new ChatChunks(context),
});
