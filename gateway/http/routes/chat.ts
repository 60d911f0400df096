import { isMessagesHeader } from "../../core/chat/messages-headers.ts";
import { ClientCancelled } from "../../services/calls/attempts.ts";
import type { CountMessages } from "../../services/chat/count-messages.ts";
import type { Dialect } from "../../services/chat/dialect.ts";
import type { ChatInput, RunChat } from "../../services/chat/run-chat.ts";
import { callInput, recipient, sendWhole } from "../call-input.ts";
import { HttpReply } from "../http-reply.ts";
import type { Context } from "../state.ts";

/** Providers of other dialects get none. */
const NONE: Readonly<Record<string, string>> = {};

/**
 * `POST /v1/chat/completions`, `/v1/messages` and `/v1/responses`. The work is in services/chat/run-chat.ts; here it
 * only meets HTTP.
 */
export function conversationRoute(runChat: RunChat, dialect: Dialect) {
  return async function converse(context: Context): Promise<void> {
    const input = chatInput(context, dialect.name === "messages");
    sendWhole(context, await runChat.run(dialect, input, recipient(context)));
  };
}

/** `POST /v1/messages/count_tokens`. */
export function countTokensRoute(countMessages: CountMessages) {
  return async function countTokens(context: Context): Promise<void> {
    try {
      context.body = await countMessages.count(chatInput(context, true), new HttpReply(context.res));
    } catch (error) {
      if (!(error instanceof ClientCancelled)) throw error;
      context.respond = false;
    }
  };
}

function chatInput(context: Context, withHeaders: boolean): ChatInput {
  const { raw, body } = context.state;
  if (raw === null) throw new Error("the body comes first");
  return { ...callInput(context), raw, body, headers: withHeaders ? dialectHeaders(context) : NONE };
}

function dialectHeaders(context: Context): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(context.req.headers)) {
    if (isMessagesHeader(name) && typeof value === "string") headers[name] = value;
  }
  return headers;
}
