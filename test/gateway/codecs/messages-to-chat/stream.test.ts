import { describe, expect, it } from "vitest";
import { messagesToChat } from "../../../../gateway/codecs/messages-to-chat/translate.ts";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { assembledMessage } from "../support/assembled.ts";
import { streamed, UNKNOWN_MODEL } from "../support/translating.ts";

const chunk = (delta: Document, finish: string | null = null, rest: Document = {}): Document => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "vendor-model",
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  usage: null,
  ...rest,
});
const usageChunk = (usage: Document): Document => ({ ...chunk({}), choices: [], usage });
const USAGE = {
  prompt_tokens: 19,
  completion_tokens: 10,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 9 },
};
const piece = (
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  text: string,
): Document => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id, type: "function" }),
  function: { ...(name === undefined ? {} : { name }), arguments: text },
});
const calls = (...pieces: readonly Document[]): Document => chunk({ tool_calls: pieces });

const eventsOf = (...chunks: readonly Document[]): readonly Document[] => streamed(messagesToChat, chunks);
const messageOf = (...chunks: readonly Document[]): Document => assembledMessage(eventsOf(...chunks));
const toolUse = (id: string, name: string, input: Document): Document => ({ type: "tool_use", id, name, input });

it("is the reference's sequence of events", () => {
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

describe("forms of vendors", () => {
  it.each<[string, Document, unknown]>([
    [
      "`reasoning` (Ollama, LM Studio, vLLM, OpenRouter)",
      { reasoning: "hm" },
      [{ type: "thinking", thinking: "hm", signature: "" }],
    ],
    [
      "both names at once",
      { reasoning: "hm", reasoning_content: "hm" },
      [{ type: "thinking", thinking: "hm", signature: "" }],
    ],
    [
      "content as parts (Mistral)",
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
          { type: "text", text: "A" },
        ],
      },
      [
        { type: "thinking", thinking: "hm", signature: "" },
        { type: "text", text: "A" },
      ],
    ],
    ["null content", { content: null }, []],
    [
      "the deprecated function call",
      { function_call: { name: "f", arguments: '{"a":1}' } },
      [toolUse("toolu_id2", "f", { a: 1 })],
    ],
  ])("%s", (_, delta, content) => {
    expect(messageOf(chunk(delta), chunk({}, "stop"))["content"]).toEqual(content);
  });

  it("DashScope: later pieces with an empty id and no name, the last one empty", () => {
    const message = messageOf(
      chunk({ content: "", role: "assistant" }),
      calls(piece(0, "call_d", "f", "")),
      calls(piece(0, "", undefined, '{"a"')),
      calls(piece(0, "", undefined, ":1}")),
      chunk({ tool_calls: [piece(0, "", undefined, "")] }, "tool_calls"),
      usageChunk(USAGE),
    );
    expect(message).toMatchObject({ content: [toolUse("call_d", "f", { a: 1 })], stop_reason: "tool_use" });
  });

  it.each<[string, readonly (number | undefined)[]]>([
    ["numbered 0, both of them", [0, 0]],
    ["without index", [undefined, undefined]],
    ["numbered", [0, 1]],
  ])("Gemini: whole calls in one chunk, %s, ending in stop", (_, [first, second]) => {
    const message = messageOf(
      chunk(
        { role: "assistant", tool_calls: [piece(first, "a", "f", '{"a":1}'), piece(second, "b", "f", '{"b":2}')] },
        "stop",
      ),
    );
    expect(message).toMatchObject({
      content: [toolUse("a", "f", { a: 1 }), toolUse("b", "f", { b: 2 })],
      stop_reason: "tool_use",
    });
  });

  it("Gemini: whole calls without ids", () => {
    const message = messageOf(
      calls(piece(0, "", "f", '{"a":1}')),
      calls(piece(0, "", "f", '{"b":2}')),
      chunk({}, "stop"),
    );
    expect(message["content"]).toMatchObject([
      { name: "f", input: { a: 1 } },
      { name: "f", input: { b: 2 } },
    ]);
    expect(new Set((message["content"] as readonly Document[]).map((block) => block["id"])).size).toBe(2);
  });

  it("Gemini: a thought signature goes into the call's id", () => {
    const signed = { ...piece(0, "a", "f", "{}"), extra_content: { google: { thought_signature: "Ab+/" } } };
    expect(messageOf(calls(signed))["content"]).toEqual([toolUse("a__thought_Ab-_", "f", {})]);
  });

  it("xAI: a whole call in one chunk behind reasoning", () => {
    const message = messageOf(
      chunk({ role: "assistant", reasoning_content: "hm" }),
      calls(piece(0, "call_x", "f", '{"a":1}')),
      chunk({}, "tool_calls"),
    );
    expect(message["content"]).toEqual([
      { type: "thinking", thinking: "hm", signature: "" },
      toolUse("call_x", "f", { a: 1 }),
    ]);
  });

  it("id and name repeated in each piece", () => {
    const message = messageOf(
      calls(piece(0, "a", "f", '{"a"')),
      calls(piece(0, "a", "f", ":1}")),
      calls(piece(0, "a", "f", "")),
    );
    expect(message["content"]).toEqual([toolUse("a", "f", { a: 1 })]);
  });

  it("id and name in pieces of their own: the block waits for both", () => {
    const events = eventsOf(
      calls(piece(0, "a", undefined, "")),
      calls(piece(0, undefined, undefined, '{"a"')),
      calls(piece(0, undefined, "f", ":1}")),
    );
    expect(assembledMessage(events)["content"]).toEqual([toolUse("a", "f", { a: 1 })]);
  });

  it("a server that does not stream: one chunk with the whole message", () => {
    const whole = {
      choices: [{ index: 0, message: { role: "assistant", content: "A" }, finish_reason: "stop" }],
      usage: USAGE,
    };
    expect(messageOf(whole)).toMatchObject({ content: [{ type: "text", text: "A" }], usage: { output_tokens: 10 } });
  });

  it("several choices: the first one only", () => {
    const other = { ...chunk({}), choices: [{ index: 1, delta: { content: "B" }, finish_reason: "length" }] };
    expect(messageOf(chunk({ content: "A" }), other, chunk({}, "stop"))).toMatchObject({
      content: [{ type: "text", text: "A" }],
      stop_reason: "end_turn",
    });
  });
});

describe("one block at a time", () => {
  it("calls that the vendor tells side by side are told one after the other", () => {
    const message = messageOf(
      calls(piece(0, "a", "f", ""), piece(1, "b", "g", "")),
      calls(piece(1, undefined, undefined, '{"b"')),
      calls(piece(0, undefined, undefined, '{"a"')),
      calls(piece(1, undefined, undefined, ":2}")),
      calls(piece(0, undefined, undefined, ":1}")),
      chunk({}, "tool_calls"),
    );
    expect(message["content"]).toEqual([toolUse("a", "f", { a: 1 }), toolUse("b", "g", { b: 2 })]);
  });

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

  it("text while a call is being told waits for its end, and is not lost", () => {
    const message = messageOf(
      calls(piece(0, "a", "f", '{"a"')),
      chunk({ content: "Meanwhile" }),
      calls(piece(0, undefined, undefined, ":1}")),
      chunk({}, "tool_calls"),
    );
    expect(message["content"]).toEqual([toolUse("a", "f", { a: 1 }), { type: "text", text: "Meanwhile" }]);
  });

  it("text behind a complete call, and thinking behind text, have blocks of their own", () => {
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
