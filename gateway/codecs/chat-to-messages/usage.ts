import { messagesUnits } from "../../core/chat/messages-usage.ts";
import type { Document } from "../translation.ts";

/**
 * Anthropic's usage in the chat dialect, where `prompt_tokens` holds cached and newly cached tokens as well (upstreams
 * reference 2.6.5). What was written to the cache stands under the name that gateways in front of Anthropic use, and
 * under OpenAI's.
 */
export function chatUsage(usage: unknown): Document {
  const units = messagesUnits(usage) ?? {};
  const created = (units.cache_write ?? 0) + (units.cache_write_1h ?? 0);
  const cached = units.cached_input ?? 0;
  const thinking = units.reasoning ?? 0;
  const prompt = (units.input ?? 0) + created + cached;
  const completion = (units.output ?? 0) + thinking;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, cache_creation_tokens: created, cache_write_tokens: created },
    ...(thinking === 0 ? {} : { completion_tokens_details: { reasoning_tokens: thinking } }),
  };
}
