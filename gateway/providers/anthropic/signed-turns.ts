import { isCarried } from "../../codecs/carried-thinking.ts";
import { isRecord } from "../../lib/records.ts";
import type { DialectCall } from "../wire-request.ts";

/** Tells whether a model is Claude at any provider, or served by Anthropic: its thinking needs a signature. */
export function isAnthropics({ origin, upstreamModel }: Pick<DialectCall, "origin" | "upstreamModel">): boolean {
  return origin.endsWith("anthropic.com") || /claude/i.test(upstreamModel);
}

type Block = Readonly<Record<string, unknown>>;

/**
 * Removes unsigned thinking, which other models wrote earlier in the session: Anthropic refuses it ("Invalid
 * `signature` in `thinking` block").
 * @returns undefined if nothing changes
 */
export function signedTurns(messages: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(messages) || !messages.some(hasUnsigned)) return undefined;
  return messages.flatMap((turn: unknown) => {
    if (!hasUnsigned(turn)) return [turn];
    const content = turn.content.filter((block) => !isUnsigned(block));
    // A turn with only such thinking is dropped.
    return content.length === 0 ? [] : [{ ...turn, content }];
  });
}

/**
 * Removes Postern's carried fields from signatures: relays of DeepSeek, Kimi and others use thinking without
 * signatures, and refuse a turn with calls whose thinking is missing
 * (https://github.com/NousResearch/hermes-agent/issues/92364, read 2026-11-28).
 * @returns undefined if nothing changes
 */
export function unsignedTurns(messages: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  const isOurs = (block: unknown): block is Block => isRecord(block) && isCarried(block["signature"]);
  const given: readonly unknown[] = messages;
  const turns = given.map((turn) => {
    if (!isRecord(turn) || !Array.isArray(turn["content"]) || !turn["content"].some(isOurs)) return turn;
    const content = turn["content"].map((block: unknown) => (isOurs(block) ? { ...block, signature: "" } : block));
    return { ...turn, content };
  });
  return turns.some((turn, index) => turn !== given[index]) ? turns : undefined;
}

function hasUnsigned(turn: unknown): turn is { readonly content: readonly unknown[] } {
  if (!isRecord(turn) || turn["role"] !== "assistant" || !Array.isArray(turn["content"])) return false;
  return turn["content"].some(isUnsigned);
}

function isUnsigned(block: unknown): block is Block {
  if (!isRecord(block) || block["type"] !== "thinking") return false;
  const { signature } = block;
  return typeof signature !== "string" || signature === "" || isCarried(signature);
}
