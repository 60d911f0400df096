import { isRecord } from "../../lib/records.ts";

type Block = Readonly<Record<string, unknown>>;

/**
 * The turns without thinking that nobody has signed: what other models thought earlier in a session. Anthropic refuses a
 * request with it ("Invalid `signature` in `thinking` block"), and needs none but its own.
 * @returns undefined where nothing has to change
 */
export function signedTurns(messages: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(messages) || !messages.some(hasUnsigned)) return undefined;
  return messages.flatMap((turn: unknown) => {
    if (!hasUnsigned(turn)) return [turn];
    const content = turn.content.filter((block) => !isUnsigned(block));
    // A turn of nothing but such thoughts has nothing left to say.
    return content.length === 0 ? [] : [{ ...turn, content }];
  });
}

function hasUnsigned(turn: unknown): turn is { readonly content: readonly unknown[] } {
  if (!isRecord(turn) || turn["role"] !== "assistant" || !Array.isArray(turn["content"])) return false;
  return turn["content"].some(isUnsigned);
}

function isUnsigned(block: unknown): block is Block {
  if (!isRecord(block) || block["type"] !== "thinking") return false;
  const { signature } = block;
  return typeof signature !== "string" || signature === "";
}
