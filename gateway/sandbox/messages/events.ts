import { INPUT_TOKENS_PER_DELTA, joined, REASONING_TOKENS_PER_DELTA } from "../conversation/deltas.ts";
import { fullUsage, type Block, type MessagePlan } from "./message.ts";

type Event = Readonly<Record<string, unknown>>;

/** Tokens that the provider has counted by the time the message starts. */
const OUTPUT_AT_START = 1;

/**
 * The streamed answer in Anthropic's order: one block open at a time, a ping after the first opens
 * (docs/providers/anthropic.md#streams).
 */
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
