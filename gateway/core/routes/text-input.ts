import { isRecord } from "../../lib/records.ts";
import { mostTextTokens, getTokenCounter } from "../money/text-tokens.ts";

/**
 * Factor from the max tokens of a text to the likely ones. The max is a third to a half above OpenAI's tokenizers and
 * hardly above Anthropic's newer ones, so this lies between the two.
 */
const LIKELY_OF_MOST = 0.8;
/** Bytes above which a body exceeds every context unless it is pictures, so that a sample of its text suffices. */
const COUNTED_BYTES = 4 * 1024 * 1024;

/** Returns the token counter for rules. @param bytes size of the whole request */
export function likelyTokens(bytes: number): (text: string) => number {
  return bytes > COUNTED_BYTES ? getTokenCounter() : (text) => mostTextTokens(text) * LIKELY_OF_MOST;
}

/** Text fields of non-chat requests, in all accepted formats. */
const FIELDS = ["input", "prompt", "contents"] as const;
/** Fields inside those. */
const WITHIN = ["text", "prompt", "messages", "content", "parts"] as const;

/**
 * Counts the input tokens of a non-chat request for rule thresholds: its texts, plus input given as tokens. Pictures
 * and audio count zero.
 * @param bytes size of the whole request
 */
export function textInputTokens(body: unknown, bytes: number): number {
  const count = likelyTokens(bytes);
  let tokens = 0;
  const add = (value: unknown): void => {
    if (typeof value === "string") tokens += count(value);
    else if (typeof value === "number") tokens += 1;
    else if (Array.isArray(value)) for (const item of value) add(item);
    else if (isRecord(value)) for (const field of WITHIN) add(value[field]);
  };
  if (isRecord(body)) for (const field of FIELDS) add(body[field]);
  return Math.ceil(tokens);
}
