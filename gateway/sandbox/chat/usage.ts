import type { ModelSpec } from "../../core/models/model.ts";
import type { TokenCounts } from "../conversation/usage.ts";

/**
 * Token counts in OpenAI's shape: cached tokens are parts of the prompt, reasoning tokens of the completion. But Grok's
 * reasoning is counted beside its completion, and the total is the sum of all three
 * (https://docs.x.ai/docs/key-information/consumption-and-rate-limits).
 */
export function usageOf(counts: TokenCounts, { owner }: Pick<ModelSpec, "owner">): object {
  return {
    prompt_tokens: counts.prompt,
    completion_tokens: owner === "xai" ? counts.completion - counts.reasoning : counts.completion,
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
