import {
  CACHE_STEP,
  type CallPlan,
  INPUT_TOKENS_PER_DELTA,
  joined,
  LEAST_CACHED,
  type Plan,
  REASONING_TOKENS_PER_DELTA,
} from "../conversation/plan.ts";
import type { MessagesRequest } from "./request.ts";
import type { Seed } from "../seed.ts";

/** One block of the response, in tokens. */
type Block =
  | { readonly type: "thinking"; readonly tokens: readonly string[]; readonly signature: string }
  | { readonly type: "text"; readonly tokens: readonly string[] }
  | { readonly type: "tool_use"; readonly tokens: readonly string[]; readonly id: string; readonly name: string };

/**
 * The response of Anthropic's dialect: its blocks, and what stands around them (docs/providers/anthropic.md#messages).
 */
interface MessagePlan {
  readonly head: Readonly<Record<string, unknown>>;
  readonly blocks: readonly Block[];
  readonly stop: { readonly stop_reason: string; readonly stop_sequence: string | null };
  readonly usage: MessagesUsage;
}

interface MessagesUsage {
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

/** The response that is not streamed. */
export function messageBody({ head, blocks, stop, usage }: MessagePlan): object {
  return { ...head, content: blocks.map(blockBody), ...stop, usage: fullUsage(usage) };
}

function fullUsage(usage: MessagesUsage): object {
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

type Event = Readonly<Record<string, unknown>>;

/** Tokens that the provider has counted by the time the message starts. */
const OUTPUT_AT_START = 1;

/** The streamed response in Anthropic's order: one block open at a time, a ping after the first opens. */
export function* eventsOf(plan: MessagePlan): Generator<Event, void, undefined> {
  const { head, blocks, stop, usage } = plan;
  const atStart = fullUsage({
    ...usage,
    output_tokens: OUTPUT_AT_START,
    output_tokens_details: { thinking_tokens: 0 },
  });
  yield {
    type: "message_start",
    message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage: atStart },
  };
  for (const [index, block] of blocks.entries()) {
    yield { type: "content_block_start", index, content_block: emptyBlock(block) };
    if (index === 0) yield { type: "ping" };
    for (const delta of deltasOf(block)) yield { type: "content_block_delta", index, delta };
    yield { type: "content_block_stop", index };
  }
  yield { type: "message_delta", delta: stop, usage };
  yield { type: "message_stop" };
}

function emptyBlock(block: Block): object {
  switch (block.type) {
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "text":
      return { type: "text", text: "" };
    case "tool_use":
      return { type: "tool_use", id: block.id, name: block.name, input: {} };
  }
}

function* deltasOf(block: Block): Generator<object, void, undefined> {
  switch (block.type) {
    case "thinking":
      for (const thinking of joined(block.tokens, REASONING_TOKENS_PER_DELTA))
        yield { type: "thinking_delta", thinking };
      yield { type: "signature_delta", signature: block.signature };
      break;
    case "text":
      for (const text of block.tokens) yield { type: "text_delta", text };
      break;
    case "tool_use":
      yield { type: "input_json_delta", partial_json: "" };
      for (const json of joined(block.tokens, INPUT_TOKENS_PER_DELTA)) {
        yield { type: "input_json_delta", partial_json: json };
      }
      break;
  }
}
