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

/**
 * Whether a conversation is in the middle of calls of tools that another model made, or that came without thinking. Anthropic
 * refuses thinking by budget then: "a final `assistant` message must start with a thinking block"
 * (https://github.com/n8n-io/n8n/issues/22550, read 2026-11-24). It thinks again when the user has said something.
 */
export function goesOnUnthought(messages: unknown): boolean {
  if (!Array.isArray(messages)) return false;
  const given: readonly unknown[] = messages;
  if (!blocksOf(given.at(-1)).some(({ type }) => type === "tool_result")) return false;
  const said = given.findLast((turn) => isRecord(turn) && turn["role"] === "assistant");
  const first = blocksOf(said)[0]?.["type"];
  return said !== undefined && first !== "thinking" && first !== "redacted_thinking";
}

function blocksOf(turn: unknown): readonly Block[] {
  return isRecord(turn) && Array.isArray(turn["content"]) ? turn["content"].filter(isRecord) : [];
}

/**
 * What manages the context of a request without thinking: "`clear_thinking_20251015` strategy requires `thinking` to be
 * enabled or adaptive" (https://github.com/router-for-me/CLIProxyAPI/issues/4957, read 2026-11-24).
 */
export function withoutClearing(management: unknown): unknown {
  if (!isRecord(management) || !Array.isArray(management["edits"])) return management;
  const edits = management["edits"].filter((edit) => !isRecord(edit) || !/^clear_thinking_/.test(String(edit["type"])));
  return edits.length === 0 ? undefined : { ...management, edits };
}
