import type { Units } from "../../core/models/model.ts";
import { inputTokens, outputTokens } from "../../core/money/price.ts";
import type { Document } from "../translation.ts";

/**
 * Returns usage of the chat dialect, where `prompt_tokens` includes cache reads and writes, and `completion_tokens` the
 * thinking. Cache writes use both OpenAI's name and that of gateways for Anthropic.
 */
export function buildChatUsage(units: Units): Document {
  const created = (units.cache_write ?? 0) + (units.cache_write_1h ?? 0);
  const thinking = units.reasoning ?? 0;
  const prompt = inputTokens(units);
  const completion = outputTokens(units);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: (units.cached_input ?? 0) + (units.cached_audio_input ?? 0),
      cache_creation_tokens: created,
      cache_write_tokens: created,
    },
    ...(thinking === 0 ? {} : { completion_tokens_details: { reasoning_tokens: thinking } }),
  };
}
