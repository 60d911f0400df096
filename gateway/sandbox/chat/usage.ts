import type { ChatRequest } from "./request.ts";

/** Token counts in OpenAI's shape: cached and reasoning tokens are parts of the sums (upstreams reference 0.3). */
export interface ChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number; readonly audio_tokens: number };
  readonly completion_tokens_details: {
    readonly reasoning_tokens: number;
    readonly audio_tokens: number;
    readonly accepted_prediction_tokens: number;
    readonly rejected_prediction_tokens: number;
  };
}

/** What the chat format adds to prime the answer. */
const PRIMING_TOKENS = 3;
/** OpenAI caches prefixes of at least 1,024 tokens in steps of 128. */
const LEAST_CACHED = 1_024;
const CACHE_STEP = 128;

/** The usage of a request whose choices have these sums. */
export function usageOf(request: ChatRequest, completionTokens: number, reasoningTokens: number): ChatUsage {
  const prompt = PRIMING_TOKENS + request.toolTokens + sumOf(request, request.messages.length);
  return {
    prompt_tokens: prompt,
    completion_tokens: completionTokens,
    total_tokens: prompt + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens(request, prompt), audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/**
 * The sandbox remembers nothing, or the same request would not always get the same answer. What it calls cached is
 * read off the request: with a `prompt_cache_key` the client says that this prompt is repeated, so all of it is;
 * otherwise it is what the turn before must have sent, the tools and all messages before the last assistant's.
 */
function cachedTokens(request: ChatRequest, prompt: number): number {
  const lastAnswer = request.messages.findLastIndex((message) => message.role === "assistant");
  const previousTurn = lastAnswer > 0 ? request.toolTokens + sumOf(request, lastAnswer) : 0;
  const repeated = request.cacheKey ? prompt - 1 : previousTurn;
  return repeated < LEAST_CACHED ? 0 : repeated - (repeated % CACHE_STEP);
}

function sumOf(request: ChatRequest, messages: number): number {
  return request.messages.slice(0, messages).reduce((sum, message) => sum + message.tokens, 0);
}
