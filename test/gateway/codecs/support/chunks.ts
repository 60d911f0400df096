import { messagesToChat } from "../../../../gateway/codecs/messages-to-chat/translate.ts";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { assembledMessage } from "./assembled.ts";
import { streamed } from "./translating.ts";

/** Chunks of a chat provider's stream, and what a Messages client gets of them. */

export const chunk = (delta: Document, finish: string | null = null, rest: Document = {}): Document => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "provider-model",
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  usage: null,
  ...rest,
});
export const usageChunk = (usage: Document): Document => ({ ...chunk({}), choices: [], usage });
export const USAGE = {
  prompt_tokens: 19,
  completion_tokens: 10,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 9 },
};
export const piece = (
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  text: string,
): Document => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id, type: "function" }),
  function: { ...(name === undefined ? {} : { name }), arguments: text },
});
export const calls = (...pieces: readonly Document[]): Document => chunk({ tool_calls: pieces });

export const eventsOf = (...chunks: readonly Document[]): readonly Document[] => streamed(messagesToChat, chunks);
export const messageOf = (...chunks: readonly Document[]): Document => assembledMessage(eventsOf(...chunks));
export const toolUse = (id: string, name: string, input: Document): Document => ({ type: "tool_use", id, name, input });
