import type { PrefixPart, PromptPrefix } from "./prompt-prefix.ts";

// Without zod, because the pages load it.

/** Parts of a prompt before its messages, in their order; settings change how messages are read. */
const BEFORE_MESSAGES = ["tools", "system", "settings"] as const;

/** Leading parts of a prompt that are the same as in the earlier request: only those can be read from a cache. */
export interface KeptParts {
  readonly tools: boolean;
  readonly system: boolean;
  /** Number of leading messages. */
  readonly messages: number;
}

export function getKeptParts({ changed, kept }: PromptPrefix): KeptParts {
  const isOther = changed.includes("model") || changed.includes("provider");
  const first = isOther ? "tools" : BEFORE_MESSAGES.find((part) => changed.includes(part));
  const tools = first !== "tools";
  return { tools, system: tools && first !== "system", messages: first === undefined ? kept : 0 };
}

/** Reasons why a provider read tokens again. `rule`: nothing of what is known here, so by a rule of the provider. */
export type MissReason = PrefixPart | "changed" | "removed" | "unmarked" | "short" | "expired" | "rule";

const LIFETIMES = { none: Infinity, "5m": 300_000, "1h": 3_600_000 } as const;

/**
 * Returns why tokens were read again, and what changed without that.
 * @returns no reason if nothing changed and the cache was read
 */
export function listMissReasons({ changed, message, marks, least, idle_ms, missed }: PromptPrefix): MissReason[] {
  const reasons: MissReason[] = [...changed];
  if (message !== undefined) reasons.push(message);
  if ((missed ?? 0) === 0) return reasons;
  if (least !== undefined) reasons.push("short");
  else if (marks === "none") reasons.push("unmarked");
  else if (marks !== undefined && idle_ms > LIFETIMES[marks]) reasons.push("expired");
  return reasons.length === 0 ? ["rule"] : reasons;
}
