import type { CallPlan, Plan } from "../conversation/plan.ts";
import { CACHE_STEP, LEAST_CACHED } from "../conversation/usage.ts";
import type { Seed } from "../seed.ts";
import type { MessagesRequest } from "./request.ts";

/** One block of the answer, in tokens. */
export type Block =
  | { readonly type: "thinking"; readonly tokens: readonly string[]; readonly signature: string }
  | { readonly type: "text"; readonly tokens: readonly string[] }
  | { readonly type: "tool_use"; readonly tokens: readonly string[]; readonly id: string; readonly name: string };

/**
 * The answer of Anthropic's dialect: its blocks, and what stands around them (docs/providers/anthropic.md#messages).
 */
export interface MessagePlan {
  readonly head: Readonly<Record<string, unknown>>;
  readonly blocks: readonly Block[];
  readonly stop: { readonly stop_reason: string; readonly stop_sequence: string | null };
  readonly usage: MessagesUsage;
}

export interface MessagesUsage {
  /** Neither read from the cache nor written to it. */
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly thinking_tokens: number };
}

export function messagePlanOf(request: MessagesRequest, plan: Plan, seed: Seed): MessagePlan {
  const [choice] = plan.choices;
  const head = { id: `msg_${seed.digits("id", 24)}`, type: "message", role: "assistant", model: plan.model };
  const stoppedBy = choice?.stoppedBy ?? null;
  const reasons = {
    stop: stoppedBy === null ? "end_turn" : "stop_sequence",
    length: "max_tokens",
    tool_calls: "tool_use",
  };
  const thought = choice?.reasoning ?? [];
  const signature = Buffer.from(seed.digits("signature", 64), "hex").toString("base64");
  return {
    head,
    blocks: [
      ...(thought.length === 0
        ? []
        : [{ type: "thinking" as const, tokens: request.hidesThinking ? [] : thought, signature }]),
      ...(choice === undefined || choice.content.length === 0
        ? []
        : [{ type: "text" as const, tokens: choice.content }]),
      ...(choice?.calls ?? []).map(toolBlock),
    ],
    stop: { stop_reason: reasons[choice?.finish ?? "stop"], stop_sequence: stoppedBy },
    usage: usageOf(request, plan),
  };
}

function toolBlock({ id, tool, input }: CallPlan): Block {
  return { type: "tool_use", tokens: input, id: `toolu_${id}`, name: tool.name };
}

/** Anthropic caches what it is asked to, and counts it apart from the rest of the prompt. */
function usageOf(request: MessagesRequest, plan: Plan): MessagesUsage {
  const { prompt, cached, completion, reasoning } = plan.usage;
  const read = request.caches ? cached : 0;
  const fresh = prompt - read;
  const written = request.caches && prompt >= LEAST_CACHED ? fresh - (fresh % CACHE_STEP) : 0;
  return {
    input_tokens: fresh - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: completion,
    output_tokens_details: { thinking_tokens: reasoning },
  };
}

/** The answer that is not streamed. */
export function messageBody({ head, blocks, stop, usage }: MessagePlan): object {
  return { ...head, content: blocks.map(blockBody), ...stop, usage: fullUsage(usage) };
}

export function fullUsage(usage: MessagesUsage): object {
  const cache_creation = {
    ephemeral_5m_input_tokens: usage.cache_creation_input_tokens,
    ephemeral_1h_input_tokens: 0,
  };
  return { ...usage, cache_creation, server_tool_use: null, service_tier: "standard" };
}

function blockBody(block: Block): object {
  const text = block.tokens.join("");
  switch (block.type) {
    case "thinking":
      return { type: "thinking", thinking: text, signature: block.signature };
    case "text":
      return { type: "text", text, citations: null };
    case "tool_use":
      return { type: "tool_use", id: block.id, name: block.name, input: inputOf(text) };
  }
}

/** Of a call that was cut off there is no whole input: then it is empty, as Anthropic sends it. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}
