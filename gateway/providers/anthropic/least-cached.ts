/**
 * Min cached tokens of models that need more than 1,024. Names also as OpenRouter writes them (`claude-opus-4.6`). Opus 5
 * and Fable 5 take 512, which is too little to gain much (docs/providers/anthropic.md#prompt-caching).
 */
const MORE: readonly (readonly [model: RegExp, tokens: number])[] = [
  [/opus-4[.-][56]\b|haiku-4[.-]5\b/, 4_096],
  [/opus-4[.-]7\b|sonnet-4[.-]6\b|3[.-]5-haiku|haiku-3/, 2_048],
];

/** Min prompt tokens that Anthropic caches for a model; shorter prompts ignore the mark. */
export function leastCached(model: string): number {
  return MORE.find(([name]) => name.test(model))?.[1] ?? 1_024;
}
