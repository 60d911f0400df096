import { chatToMessages } from "../../../../gateway/codecs/chat-to-messages/translate.ts";
import { messagesToChat } from "../../../../gateway/codecs/messages-to-chat/translate.ts";
import type { Document, Translate, TranslationContext } from "../../../../gateway/codecs/translation.ts";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import { messagesRequestSchema } from "../../../../gateway/contract/messages.ts";
import { chatRequestSchema } from "../../../../gateway/contract/chat.ts";
import { validate } from "../../../../gateway/core/validation.ts";
import { countedIn } from "./counted.ts";
import type { GatewayError } from "../../../../gateway/core/errors.ts";

export const NOW = 1_790_000_000;

/** Ids count from 1; the model's data come from the catalog, null for ids that it does not hold. */
export function contextFor(publicModel: string): TranslationContext {
  let made = 0;
  return {
    publicModel,
    model: findModel(publicModel) ?? null,
    now: NOW,
    newId: () => {
      made += 1;
      return `id${made}`;
    },
  };
}

/** A model that no catalog holds. */
export const UNKNOWN_MODEL = "house-model";

export const HI: readonly Document[] = [{ role: "user", content: "Hi" }];

/** A Messages request, checked as the gateway does, in the chat dialect. */
export function chatBodyOf(body: Document, model = UNKNOWN_MODEL): Document {
  const whole = { model, max_tokens: 100, messages: HI, ...body };
  return messagesToChat(validate(messagesRequestSchema, whole), contextFor(model)).body;
}

/** A chat request, checked as the gateway does, in Anthropic's dialect. */
export function claudeBodyOf(body: Document, model = "claude-opus-5-5"): Document {
  const whole = { model, messages: HI, ...body };
  return chatToMessages(validate(chatRequestSchema, whole), contextFor(model)).body;
}

/** The error that a translation ends in. */
export function refusalOf(attempt: () => unknown): GatewayError {
  try {
    attempt();
  } catch (error) {
    return error as GatewayError;
  }
  throw new Error("it was translated");
}

const ASKS = {
  messages: { translate: messagesToChat, body: { max_tokens: 100, messages: HI } },
  chat: { translate: chatToMessages, body: { messages: HI } },
} as const;

/** The events of a provider's stream, and its closing, as a client of the other dialect gets them. */
export function streamed(
  translate: Translate,
  events: readonly Document[],
  body: Document = {},
  model = UNKNOWN_MODEL,
): readonly Document[] {
  const ask = translate === messagesToChat ? ASKS.messages : ASKS.chat;
  const stream = translate({ model, ...ask.body, ...body }, contextFor(model)).stream();
  return [...events.flatMap((event) => [...stream.event(event)]), ...stream.end(countedIn(...events))];
}

/** A provider's whole response as a client of the other dialect gets it. */
export function answered(
  translate: Translate,
  response: Document,
  body: Document = {},
  model = UNKNOWN_MODEL,
): Document {
  const ask = translate === messagesToChat ? ASKS.messages : ASKS.chat;
  return translate({ model, ...ask.body, ...body }, contextFor(model)).response(response, countedIn(response));
}
