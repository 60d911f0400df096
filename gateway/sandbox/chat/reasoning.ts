import type { ModelSpec } from "../../core/model.ts";
import { tokensOf } from "../tokens.ts";

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
].join(" ");
const THOUGHT_TOKENS = tokensOf(`${THOUGHT} `);

/**
 * What a model thinks before it answers, as tokens: none for models that do not reason. A token limit cuts it short,
 * and when it does nothing is left for the answer (specification, chat rule 2).
 */
export function reasoningOf(spec: ModelSpec, effort: string | null, maxTokens: number | null): string[] {
  if (!spec.reasoning) return [];
  const wanted = TOKENS_BY_EFFORT[effort ?? DEFAULT_EFFORT] ?? 0;
  const length = Math.min(wanted, maxTokens ?? wanted);
  return Array.from({ length }, (_, index) => THOUGHT_TOKENS[index % THOUGHT_TOKENS.length] ?? "");
}
