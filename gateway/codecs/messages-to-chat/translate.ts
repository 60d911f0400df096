import type { Translate } from "../translation.ts";
import { messageResponse } from "./response.ts";
import type { Asked } from "./response.ts";
import { chatRequest } from "./request.ts";
import { MessagesStream } from "./stream.ts";
import { refuseContinued } from "./thread.ts";
import { LONGEST_CHAT_NAME, ToolNames } from "./tool-names.ts";

/**
 * A client speaks Anthropic's Messages dialect, its provider the common chat dialect
 * (docs/dialects.md#messages-request-to-chat and what follows there).
 * @throws GatewayError for media that only Anthropic can read (400), and for the rest of a conversation that only
 * Anthropic keeps (404).
 */
export const messagesToChat: Translate = (body, context) => {
  refuseContinued(body);
  const names = new ToolNames(LONGEST_CHAT_NAME);
  const sequences = body["stop_sequences"];
  const asked: Asked = {
    context,
    names,
    stopSequences: Array.isArray(sequences) ? (sequences as readonly unknown[]) : [],
  };
  return {
    body: chatRequest(body, context, names),
    response: (response, units) => messageResponse(response, asked, units),
    stream: () => new MessagesStream(asked),
  };
};
