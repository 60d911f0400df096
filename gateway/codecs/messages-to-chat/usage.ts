import type { Units } from "../../core/models/model.ts";
import { inputTokens, outputTokens } from "../../core/money/price.ts";
import type { Document } from "../translation.ts";

/** Zero usage, sent at the start of a stream. */
export const NO_USAGE: Document = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
};

/**
 * Returns usage in Anthropic's format, where `input_tokens` excludes cache reads and writes, and `output_tokens`
 * includes the thinking.
 */
export function buildMessagesUsage(units: Units): Document {
  const thinking = units.reasoning ?? 0;
  const created = (units.cache_write ?? 0) + (units.cache_write_1h ?? 0);
  const read = (units.cached_input ?? 0) + (units.cached_audio_input ?? 0);
  return {
    input_tokens: inputTokens(units) - created - read,
    cache_creation_input_tokens: created,
    cache_read_input_tokens: read,
    output_tokens: outputTokens(units),
    ...(thinking === 0 ? {} : { output_tokens_details: { thinking_tokens: thinking } }),
  };
}
