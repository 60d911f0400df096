import type { Translate } from "../translation.ts";
import { readResponse } from "./whole-response.ts";
import type { ResponsesContext } from "./item-memory.ts";
import { readRequest } from "./request.ts";
import { ResponseStream } from "./stream.ts";

/**
 * OpenAI's Responses API (docs/providers/openai.md#responses) over the common chat API, so that Codex, and SDKs that
 * use it by default, can use every model. Nothing is persisted: each request has its whole conversation, or refers to
 * recent items.
 */
export const responsesToChat: Translate = (body, context: ResponsesContext) => {
  const chat = readRequest(body, context);
  return {
    body: chat.body,
    response: (completion, units) => readResponse(completion, body, chat, context, units),
    stream: () => new ResponseStream(body, chat, context),
  };
};
