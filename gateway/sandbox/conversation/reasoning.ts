import type { ModelSpec } from "../../core/models/model.ts";
import { tokensOf } from "../tokens.ts";
import type { ReasoningWish } from "./conversation.ts";

/** Reasoning tokens by effort. Low figures, so that small limits are enough to see an answer and to see none. */
const TOKENS_BY_EFFORT: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 16,
  low: 32,
  medium: 128,
  high: 256,
  xhigh: 512,
  max: 768,
};
const DEFAULT_EFFORT = "medium";

const THOUGHT = [
  "The sandbox does not think; this text only takes the place of a model's reasoning.",
  "First the request is read as a whole.",
  "Then each parameter is looked at, and what it asks of the answer is noted.",
  "Then the answer is put together from the request alone.",
  "",
].join(" ");

/**
 * What a model thinks before it answers, as tokens: none for models that do not reason, and for Claude models only when
 * the request asks. A token limit cuts it short, and when it does nothing is left for the answer
 * (docs/specification.md#post-v1chatcompletions, rule 2).
 */
export function reasoningOf(spec: ModelSpec, wish: ReasoningWish, maxTokens: number | null): string[] {
  const thinks = wish.asked ?? spec.owner !== "anthropic";
  if (!spec.reasoning || !thinks) return [];
  const wanted = TOKENS_BY_EFFORT[wish.effort ?? DEFAULT_EFFORT] ?? 0;
  const length = Math.min(wanted, maxTokens ?? wanted, wish.budget ?? wanted);
  const thought = tokensOf(THOUGHT);
  return Array.from({ length }, (_, index) => thought[index % thought.length] ?? "");
}
