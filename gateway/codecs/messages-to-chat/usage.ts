import { chatUnits } from "../../core/chat/chat-usage.ts";
import type { Document } from "../translation.ts";

/** No figures: what a stream begins with, and what is left where the vendor reports nothing. */
const NO_USAGE: Document = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
};

/**
 * A chat vendor's usage in Anthropic's terms, where `input_tokens` holds neither cached nor newly cached tokens, and
 * `output_tokens` holds the thinking (upstreams reference 0.3).
 */
export function messagesUsage(usage: unknown): Document {
  const units = chatUnits(usage);
  if (units === null) return NO_USAGE;
  const thinking = units.reasoning ?? 0;
  return {
    input_tokens: units.input ?? 0,
    cache_creation_input_tokens: units.cache_write ?? 0,
    cache_read_input_tokens: units.cached_input ?? 0,
    output_tokens: (units.output ?? 0) + thinking,
    ...(thinking === 0 ? {} : { output_tokens_details: { thinking_tokens: thinking } }),
  };
}
