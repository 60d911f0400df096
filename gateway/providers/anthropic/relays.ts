import { isRecord } from "../../lib/records.ts";
import type { DialectCall } from "../wire-request.ts";
import { isAnthropics } from "./signed-turns.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Relay {
  readonly hosts: readonly string[];
  /** Value that enables thinking, if not all are accepted. */
  readonly on: "enabled" | "adaptive";
  /** Whether system messages are only allowed at the top of a request. */
  readonly systemFirst?: true;
}

/** Hosts with Anthropic's dialect that refuse parts of it, by host name suffix. */
const RELAYS: readonly Relay[] = [
  // "thinking type should be enabled or disabled" (https://github.com/farion1231/cc-switch/issues/1489, 2026-03-13).
  { hosts: ["siliconflow.cn", "siliconflow.com"], on: "enabled" },
  // https://github.com/vercel/ai/tree/ed857f50/packages/minimax, 2026-08-22; "chat content has invalid message role: system (2013)" (https://github.com/MiniMax-AI/MiniMax-M2.7/issues/43, 2026-05-29).
  { hosts: ["minimax.io", "minimaxi.com"], on: "adaptive", systemFirst: true },
];

/** Budget for a host that only supports budgets: Claude's minimum. */
const BUDGET = 1_024;

/**
 * Returns the changes of a request for a host that refuses parts of Anthropic's dialect.
 * @param messages outgoing messages so far
 */
export function changeForRelay(call: DialectCall, messages: unknown): Fields {
  if (isAnthropics(call)) return {};
  const host = new URL(call.origin).hostname;
  const relay = RELAYS.find(({ hosts }) => hosts.some((end) => host === end || host.endsWith(`.${end}`)));
  if (relay === undefined) return {};
  const turns = relay.systemFirst === true ? moveSystem(messages) : undefined;
  const thinking = changeThinking(call, relay.on);
  return { ...(turns === undefined ? {} : { messages: turns }), ...(thinking === undefined ? {} : { thinking }) };
}

function changeThinking({ body }: DialectCall, on: Relay["on"]): Fields | undefined {
  const { thinking } = body;
  if (!isRecord(thinking)) return undefined;
  const { type } = thinking;
  if (type === on || (type !== "enabled" && type !== "adaptive")) return undefined;
  if (on === "adaptive") return { type: on };
  // A budget has to leave room for a response.
  return Number(body["max_tokens"]) > BUDGET ? { type: on, budget_tokens: BUDGET } : { type: "disabled" };
}

const OPENING = "<system-reminder>";

/** Moves mid-conversation system messages into the user's turns, in the form that models know from Claude Code. */
function moveSystem(messages: unknown): readonly unknown[] | undefined {
  const isSystem = (turn: unknown): turn is Fields => isRecord(turn) && turn["role"] === "system";
  if (!Array.isArray(messages) || !messages.some(isSystem)) return undefined;
  const turns: unknown[] = [];
  for (const turn of messages as readonly unknown[]) {
    if (!isSystem(turn)) {
      turns.push(turn);
      continue;
    }
    const last = turns.at(-1);
    const blocks = listBlocks(turn["content"]).map(remind);
    if (isRecord(last) && last["role"] === "user")
      turns[turns.length - 1] = { ...last, content: [...listBlocks(last["content"]), ...blocks] };
    else turns.push({ role: "user", content: blocks });
  }
  return turns;
}

function listBlocks(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === "string" ? [{ type: "text", text: content }] : [];
}

function remind(block: unknown): unknown {
  if (!isRecord(block) || typeof block["text"] !== "string" || block["text"].startsWith(OPENING)) return block;
  return { ...block, text: `${OPENING}\n${block["text"]}\n</system-reminder>` };
}
