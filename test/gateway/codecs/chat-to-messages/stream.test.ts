import { describe, expect, it } from "vitest";
import { chatToMessages } from "../../../../gateway/codecs/chat-to-messages/translate.ts";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { assembledCompletion } from "../support/assembled.ts";
import { NOW, streamed } from "../support/translating.ts";

const MODEL = "claude-opus-5-5";
const start = (
  usage: Document = { input_tokens: 25, cache_creation_input_tokens: 0, cache_read_input_tokens: 5, output_tokens: 1 },
): Document => ({
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: MODEL,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  },
});
const opened = (index: number, block: Document): Document => ({
  type: "content_block_start",
  index,
  content_block: block,
});
const delta = (index: number, fields: Document): Document => ({ type: "content_block_delta", index, delta: fields });
const stopped = (index: number): Document => ({ type: "content_block_stop", index });
const ended = (reason: string, usage: Document = { output_tokens: 89 }): readonly Document[] => [
  { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage },
  { type: "message_stop" },
];
const json = (index: number, piece: string): Document =>
  delta(index, { type: "input_json_delta", partial_json: piece });
const toolUse = (index: number, id: string, input: Document = {}): Document =>
  opened(index, { type: "tool_use", id, name: "get_weather", input });

const chunksOf = (...events: readonly Document[]): readonly Document[] => streamed(chatToMessages, events, {}, MODEL);
const completionOf = (...events: readonly Document[]): Document => assembledCompletion(chunksOf(...events));

it("is Anthropic's stream as chunks: thinking with its signature, text, two calls, a ping, usage last", () => {
  const chunks = chunksOf(
    start(),
    opened(0, { type: "thinking", thinking: "", signature: "" }),
    { type: "ping" },
    delta(0, { type: "thinking_delta", thinking: "Let me" }),
    delta(0, { type: "signature_delta", signature: "EqQB" }),
    stopped(0),
    opened(1, { type: "text", text: "" }),
    delta(1, { type: "text_delta", text: "Hello" }),
    stopped(1),
    toolUse(2, "toolu_01"),
    json(2, '{"city":'),
    json(2, '"Paris"}'),
    stopped(2),
    toolUse(3, "toolu_02"),
    json(3, ""),
    stopped(3),
    ...ended("tool_use"),
  );
  const head = { id: "chatcmpl-id1", object: "chat.completion.chunk", created: NOW, model: MODEL };
  const chunk = (fields: Document, finish: string | null = null): Document => ({
    ...head,
    choices: [{ index: 0, delta: fields, logprobs: null, finish_reason: finish }],
  });
  const called = (index: number, id: string): Document =>
    chunk({ tool_calls: [{ index, id, type: "function", function: { name: "get_weather", arguments: "" } }] });
  const given = (index: number, text: string): Document =>
    chunk({ tool_calls: [{ index, function: { arguments: text } }] });
  expect(chunks).toEqual([
    chunk({ role: "assistant", content: "" }),
    chunk({ reasoning_content: "Let me" }),
    chunk({ thinking_blocks: [{ type: "thinking", thinking: "Let me", signature: "EqQB" }] }),
    chunk({ content: "Hello" }),
    called(0, "toolu_01"),
    given(0, '{"city":'),
    given(0, '"Paris"}'),
    called(1, "toolu_02"),
    given(1, "{}"),
    chunk({}, "tool_calls"),
    {
      ...head,
      choices: [],
      usage: {
        prompt_tokens: 30,
        completion_tokens: 89,
        total_tokens: 119,
        prompt_tokens_details: { cached_tokens: 5, cache_creation_tokens: 0, cache_write_tokens: 0 },
      },
    },
  ]);
});

describe("usage", () => {
  it("is the last word on each figure", () => {
    const last = { input_tokens: 40, cache_read_input_tokens: null, output_tokens: 7 };
    expect(completionOf(start(), ...ended("end_turn", last))["usage"]).toMatchObject({
      prompt_tokens: 45,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 5 },
    });
  });
});

describe("a stream ends validly", () => {
  it.each<[string, readonly Document[], Document]>([
    ["without any event", [], { message: { role: "assistant", content: "" }, finish_reason: "stop" }],
    [
      "without its end",
      [start(), opened(0, { type: "text", text: "" }), delta(0, { type: "text_delta", text: "A" })],
      { message: { content: "A" }, finish_reason: "stop" },
    ],
    ["at the limit", [start(), ...ended("max_tokens")], { finish_reason: "length" }],
    ["in a refusal", [start(), ...ended("refusal")], { finish_reason: "content_filter" }],
    ["at a stop sequence", [start(), ...ended("stop_sequence")], { finish_reason: "stop" }],
  ])("%s", (_, events, expected) => {
    expect(completionOf(...events)).toMatchObject(expected);
  });
});

it("tells the explanation of a refusal next to the finish reason", () => {
  const details = { type: "refusal", category: "bio", explanation: "I cannot help with that." };
  const refused = { type: "message_delta", delta: { stop_reason: "refusal", stop_details: details }, usage: {} };
  expect(chunksOf(start(), refused, { type: "message_stop" }).at(-2)?.["choices"]).toEqual([
    { index: 0, delta: { refusal: "I cannot help with that." }, logprobs: null, finish_reason: "content_filter" },
  ]);
});

describe("forms of other servers with this dialect", () => {
  it("a block that begins with its content", () => {
    expect(
      completionOf(
        start(),
        opened(0, { type: "thinking", thinking: "hm" }),
        stopped(0),
        opened(1, { type: "text", text: "A" }),
        stopped(1),
        ...ended("end_turn"),
      ),
    ).toMatchObject({
      message: { reasoning_content: "hm", content: "A" },
    });
  });

  it("a call whose whole input comes as it begins", () => {
    expect(completionOf(start(), toolUse(0, "a", { city: "Paris" }), stopped(0), ...ended("tool_use"))).toMatchObject({
      message: { tool_calls: [{ id: "a", function: { arguments: '{"city":"Paris"}' } }] },
    });
  });

  it("redacted thinking, which comes whole, and blocks and deltas that are not known", () => {
    const completion = completionOf(
      start(),
      opened(0, { type: "redacted_thinking", data: "xyz" }),
      stopped(0),
      opened(1, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
      json(1, "{}"),
      stopped(1),
      opened(2, { type: "text", text: "" }),
      delta(2, { type: "citations_delta", citation: {} }),
      delta(2, { type: "text_delta", text: "A" }),
      stopped(2),
      { type: "hologram" },
      ...ended("end_turn"),
    );
    expect(completion).toMatchObject({
      message: { role: "assistant", content: "A", thinking_blocks: [{ type: "redacted_thinking", data: "xyz" }] },
      finish_reason: "stop",
    });
    expect(completion["message"]).not.toHaveProperty("tool_calls");
  });
});
