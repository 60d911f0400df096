import { numberOf, recordOf } from "../messages-to-chat/fields.ts";
import type { Document } from "../translation.ts";

/**
 * Anthropic's usage in the chat dialect, where `prompt_tokens` holds cached and newly cached tokens as well (upstreams
 * reference 2.6.5). What was written to the cache stands under the name that gateways in front of Anthropic use, and
 * under OpenAI's.
 */
export function chatUsage(usage: unknown): Document {
  const counts = recordOf(usage);
  const created = numberOf(counts["cache_creation_input_tokens"]) ?? 0;
  const cached = numberOf(counts["cache_read_input_tokens"]) ?? 0;
  const prompt = (numberOf(counts["input_tokens"]) ?? 0) + created + cached;
  const completion = numberOf(counts["output_tokens"]) ?? 0;
  const thinking = numberOf(recordOf(counts["output_tokens_details"])["thinking_tokens"]);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, cache_creation_tokens: created, cache_write_tokens: created },
    ...(thinking === null ? {} : { completion_tokens_details: { reasoning_tokens: thinking } }),
  };
}
