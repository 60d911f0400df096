import type { Conversation } from "./conversation.ts";

/** Token counts; cached tokens are part of the prompt, reasoning is part of the completion. */
export interface TokenCounts {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
  readonly reasoning: number;
}

/** What the chat format adds to prime the answer. */
const PRIMING_TOKENS = 3;
/** OpenAI caches prefixes of at least 1,024 tokens in steps of 128. */
export const LEAST_CACHED = 1_024;
export const CACHE_STEP = 128;

/** The counts of a conversation whose answer has these sums. */
export function countsOf(conversation: Conversation, completion: number, reasoning: number): TokenCounts {
  const prompt = promptTokens(conversation);
  return { prompt, cached: cachedTokens(conversation, prompt), completion, reasoning };
}

/** The tokens of all messages and tools. */
export function promptTokens(conversation: Conversation): number {
  return PRIMING_TOKENS + conversation.toolTokens + sumOf(conversation, conversation.messages.length);
}

/**
 * The sandbox remembers nothing, or the same request would not always get the same answer. What it calls cached is
 * read off the request: with a cache key the client says that this prompt is repeated, so all of it is; otherwise it is
 * what the turn before must have sent, the tools and all messages before the last assistant's.
 */
function cachedTokens(conversation: Conversation, prompt: number): number {
  const lastAnswer = conversation.messages.findLastIndex((message) => message.role === "assistant");
  const previousTurn = lastAnswer > 0 ? conversation.toolTokens + sumOf(conversation, lastAnswer) : 0;
  const repeated = conversation.cacheKey ? prompt - 1 : previousTurn;
  return repeated < LEAST_CACHED ? 0 : repeated - (repeated % CACHE_STEP);
}

function sumOf(conversation: Conversation, messages: number): number {
  return conversation.messages.slice(0, messages).reduce((sum, message) => sum + message.tokens, 0);
}
