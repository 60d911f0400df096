import { isRecord } from "../../lib/records.ts";
import type { Units } from "../models/model.ts";
import { tokenCount } from "../chat/chat-usage.ts";
import { withoutZeros } from "../money/price.ts";

/**
 * Reads the tokens of an image response's `usage` in OpenAI's shape (docs/providers/openai.md#images) as disjoint
 * classes; null without a usable figure. Output without a breakdown counts as image tokens.
 */
export function imageTokenUnits(usage: unknown): Units | null {
  if (!isRecord(usage)) return null;
  const input = tokenCount(usage["input_tokens"]);
  const output = tokenCount(usage["output_tokens"]);
  if (input === null && output === null) return null;
  const given = isRecord(usage["input_tokens_details"]) ? usage["input_tokens_details"] : {};
  const made = isRecord(usage["output_tokens_details"]) ? usage["output_tokens_details"] : {};
  const pictures = Math.min(tokenCount(given["image_tokens"]) ?? 0, input ?? 0);
  const words = (input ?? 0) - pictures;
  const cached = Math.min(tokenCount(given["cached_tokens"]) ?? 0, words);
  const spoken = Math.min(tokenCount(made["text_tokens"]) ?? 0, output ?? 0);
  return withoutZeros({
    input: words - cached,
    cached_input: cached,
    image_input: pictures,
    output: spoken,
    image_output: (output ?? 0) - spoken,
  });
}
