import type { Translate, Document } from "../translation.ts";
import { buildMessageResponse } from "./response.ts";
import type { RequestFacts } from "./response.ts";
import { buildChatRequest } from "./request.ts";
import { MessagesStream } from "./stream.ts";
import { LONGEST_CHAT_NAME, ToolNames } from "./tool-names.ts";
import { GatewayError } from "../../core/errors.ts";
import { readRecord, readText } from "./fields.ts";
import { asList } from "../../lib/records.ts";

/**
 * Translates between a client with Anthropic's Messages dialect and a chat provider
 * (docs/dialects.md#messages-request-to-chat and the sections after it).
 * @throws GatewayError for media that only Anthropic can read (400), and for continuing a conversation that only
 * Anthropic stores (404).
 */
export const messagesToChat: Translate = (body, context) => {
  refuseContinued(body);
  const names = new ToolNames(LONGEST_CHAT_NAME);
  const sequences = body["stop_sequences"];
  const request: RequestFacts = {
    context,
    names,
    stopSequences: asList(sequences),
  };
  return {
    body: buildChatRequest(body, context, names),
    response: (response, units) => buildMessageResponse(response, request, units),
    stream: () => new MessagesStream(request),
  };
};

/**
 * Refuses to continue a thread (`{"type":"continue","previous_message_id":"msg_…"}`, Anthropic's beta
 * message-threads-2026-08-12): the client sends only new messages, and no other provider stores the earlier ones.
 * Anthropic's SDK resends the whole conversation on this error code. Creating a thread is an ordinary request.
 * @throws GatewayError (404)
 */
function refuseContinued(body: Document): void {
  const thread = readRecord(body["thread"]);
  if (thread["type"] !== "continue") return;
  const previous = readText(thread["previous_message_id"])?.slice(0, 60) ?? "";
  throw new GatewayError(
    "not_found",
    `'thread.previous_message_id' (${JSON.stringify(previous)}) refers to a conversation that is not kept here: send all of it in 'messages', with 'thread' {"type":"create"} or none.`,
    { param: "thread.previous_message_id", anthropic: { error_code: "thread_not_found" } },
  );
}
