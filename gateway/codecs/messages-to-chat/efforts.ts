/** Efforts in ascending order, by the names of OpenAI and Anthropic. */
const EFFORTS: readonly string[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/**
 * Returns the highest accepted effort that does not exceed the requested one; the lowest one if all exceed it.
 * @returns null if `wanted` is neither known nor accepted.
 */
export function clampedEffort(effort: string, accepted: readonly string[]): string | null {
  if (accepted.includes(effort)) return effort;
  const rank = EFFORTS.indexOf(effort);
  if (rank === -1) return null;
  const known = accepted
    .filter((effort) => EFFORTS.includes(effort))
    .toSorted((one, other) => readRank(one) - readRank(other));
  return known.findLast((effort) => readRank(effort) <= rank) ?? known[0] ?? null;
}

function readRank(effort: string): number {
  return EFFORTS.indexOf(effort);
}

/** Max thinking tokens of each effort (docs/dialects.md#messages-request-to-chat). */
const BUDGETS = [
  [0, "none"],
  [512, "minimal"],
  [1_024, "low"],
  [8_192, "medium"],
  [24_576, "high"],
] as const;

/** @returns null for a negative budget: the model decides. */
export function getEffortOfBudget(tokens: number): string | null {
  if (tokens < 0) return null;
  return BUDGETS.find(([most]) => tokens <= most)?.[1] ?? "xhigh";
}

/** Thinking tokens by effort; Anthropic's min is 1,024 (docs/providers/anthropic.md#messages). */
const TOKENS: ReadonlyMap<string, number> = new Map([
  ["minimal", 1_024],
  ["low", 1_024],
  ["medium", 8_192],
  ["high", 24_576],
  ["xhigh", 32_768],
  ["max", 49_152],
]);

/** @returns null for `none` and unknown values */
export function getBudgetOfEffort(effort: string): number | null {
  return TOKENS.get(effort) ?? null;
}
