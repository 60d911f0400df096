import { isRecord } from "../../lib/records.ts";
import { mostTextTokens, getTokenCounter } from "../money/text-tokens.ts";

/**
 * Share of the tokens held for a text. The hold is a third to a half above what OpenAI's tokenizers make of it and hardly
 * above what Anthropic's newer ones do, so this lies between the two.
 */
const LIKELY_OF_MOST = 0.8;
/** Longer bodies are beyond every context unless they are pictures: a sample of their words is enough. */
const COUNTED_BYTES = 4 * 1024 * 1024;

/** How rules count the tokens of a text. @param bytes of the whole request */
export function likelyTokens(bytes: number): (text: string) => number {
  return bytes > COUNTED_BYTES ? getTokenCounter() : (text) => mostTextTokens(text) * LIKELY_OF_MOST;
}

/** Fields with the words of requests that are not conversations, in all accepted shapes. */
const FIELDS = ["input", "prompt", "contents"] as const;
/** Fields inside those. */
const WITHIN = ["text", "prompt", "messages", "content", "parts"] as const;

/**
 * Input tokens of a request that is no conversation, for the thresholds of rules: of its texts all together, and of what is
 * given as tokens. Pictures and sound count nothing.
 * @param bytes of the whole request
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
