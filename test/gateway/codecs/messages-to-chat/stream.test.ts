import { describe, expect, it } from "vitest";
import { messagesToChat } from "../../../../gateway/codecs/messages-to-chat/translate.ts";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { chunk, usageChunk, USAGE, piece, calls, eventsOf, messageOf, toolUse } from "../support/chunks.ts";
import { UNKNOWN_MODEL } from "../support/translating.ts";

it("is Anthropic's sequence of events", () => {
  const events = eventsOf(
    chunk({ role: "assistant", content: "", refusal: null }),
    chunk({ reasoning_content: "Let me" }),
    chunk({ reasoning_content: " see" }),
    chunk({ content: "Hello" }),
    calls(piece(0, "call_abc", "get_weather", "")),
    calls(piece(0, undefined, undefined, '{"city":')),
    calls(piece(0, undefined, undefined, '"Paris"}')),
    chunk({}, "tool_calls"),
    usageChunk(USAGE),
  );
  const none = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };
  expect(events).toEqual([
    {
      type: "message_start",
      message: {
        id: "msg_id1",
        type: "message",
        role: "assistant",
        model: UNKNOWN_MODEL,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: none,
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Let me" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: " see" } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hello" } },
    { type: "content_block_stop", index: 1 },
    {
      type: "content_block_start",
      index: 2,
      content_block: { type: "tool_use", id: "call_abc", name: "get_weather", input: {} },
    },
    { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"city":' } },
    { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '"Paris"}' } },
    { type: "content_block_stop", index: 2 },
    {
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 9, output_tokens: 10 },
    },
    { type: "message_stop" },
  ]);
});

describe("a stream ends validly", () => {
  it.each<[string, readonly Document[], Document]>([
    ["without any chunk", [], { content: [], stop_reason: "end_turn" }],
    [
      "without usage",
      [chunk({ content: "A" }), chunk({}, "stop")],
      { content: [{ text: "A" }], stop_reason: "end_turn" },
    ],
    ["with nothing but usage", [usageChunk(USAGE)], { content: [], usage: { input_tokens: 10, output_tokens: 10 } }],
    ["without a finish reason", [chunk({ content: "A" })], { stop_reason: "end_turn" }],
    [
      "with usage beside the finish reason",
      [chunk({ content: "A" }, "length", { usage: USAGE })],
      { stop_reason: "max_tokens", usage: { output_tokens: 10 } },
    ],
    [
      "with growing usage in each chunk (vLLM)",
      [
        chunk({ content: "A" }, null, { usage: { prompt_tokens: 5, completion_tokens: 1 } }),
        chunk({}, "stop", { usage: USAGE }),
      ],
      { usage: { input_tokens: 10, output_tokens: 10 } },
    ],
    [
      "with a call that was cut",
      [calls(piece(0, "a", "f", '{"a":[1')), chunk({}, "length")],
      { content: [toolUse("a", "f", { a: [1] })], stop_reason: "max_tokens" },
    ],
    [
      "with a call without arguments",
      [calls(piece(0, "a", "f", "")), chunk({}, "tool_calls")],
      { content: [toolUse("a", "f", {})], stop_reason: "tool_use" },
    ],
    [
      "with a refusal",
      [chunk({ refusal: "I " }), chunk({ refusal: "cannot." }), chunk({}, "stop")],
      { content: [{ text: "I cannot." }], stop_reason: "refusal" },
    ],
    ["with a filtered answer", [chunk({ content: "A" }), chunk({}, "content_filter")], { stop_reason: "refusal" }],
    ["with the words of a finish reason that is none", [chunk({ content: "A" }, "null")], { stop_reason: "end_turn" }],
  ])("%s", (_, chunks, expected) => {
    expect(messageOf(...chunks)).toMatchObject(expected);
  });
});

describe("one block at a time", () => {
  it("the second of two calls is shown as it comes once the first is complete", () => {
    const stream = messagesToChat(
      { max_tokens: 1, messages: [] },
      { publicModel: "m", model: null, now: 1, newId: () => "id" },
    ).stream();
    stream.event(calls(piece(0, "a", "f", '{"a":1}')));
    expect(stream.event(calls(piece(1, "b", "g", '{"b"'))).map((event) => event["type"])).toEqual([
      "content_block_start",
      "content_block_delta",
    ]);
  });

  it("text during a streamed call waits for its end, and is not lost", () => {
    const message = messageOf(
      calls(piece(0, "a", "f", '{"a"')),
      chunk({ content: "Meanwhile" }),
      calls(piece(0, undefined, undefined, ":1}")),
      chunk({}, "tool_calls"),
    );
    expect(message["content"]).toEqual([toolUse("a", "f", { a: 1 }), { type: "text", text: "Meanwhile" }]);
  });

  it("text after a complete call, and thinking after text, have blocks of their own", () => {
    const message = messageOf(
      chunk({ content: "A" }),
      chunk({ reasoning_content: "hm" }),
      calls(piece(0, "a", "f", "{}")),
      chunk({ content: "B" }),
    );
    expect((message["content"] as readonly Document[]).map((block) => block["type"])).toEqual([
      "text",
      "thinking",
      "tool_use",
      "text",
    ]);
  });
});
