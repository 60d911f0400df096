import type { TokenCounts } from "../conversation/usage.ts";

/** Token counts in OpenAI's shape: cached and reasoning tokens are parts of the sums (upstreams reference 0.3). */
export function usageOf(counts: TokenCounts): object {
  return {
    prompt_tokens: counts.prompt,
    completion_tokens: counts.completion,
    total_tokens: counts.prompt + counts.completion,
    prompt_tokens_details: { cached_tokens: counts.cached, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: counts.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
