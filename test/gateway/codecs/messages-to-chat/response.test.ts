import { describe, expect, it } from "vitest";
import { messagesToChat } from "../../../../gateway/codecs/messages-to-chat/translate.ts";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { answered, UNKNOWN_MODEL } from "../support/translating.ts";
import { functionCall, textBlock, thinkingBlock, toolUse } from "../support/blocks.ts";

const completion = (
  message: Document,
  finish: unknown = "stop",
  rest: Document = {},
  choice: Document = {},
): Document => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "provider-model",
  choices: [{ index: 0, message: { role: "assistant", ...message }, logprobs: null, finish_reason: finish, ...choice }],
  ...rest,
});
const messageOf = (response: Document, request: Document = {}): Document => answered(messagesToChat, response, request);
const contentOf = (message: Document): unknown => messageOf(completion(message))["content"];

it("is a whole message of Anthropic's", () => {
  const response = completion(
    {
      content: "It is sunny.",
      reasoning_content: "First, …",
      refusal: null,
      tool_calls: [functionCall("call_1", "get_weather", '{"city":"Paris"}'), functionCall("call_2", "get_time", "")],
    },
    "tool_calls",
    {
      usage: {
        prompt_tokens: 19,
        completion_tokens: 10,
        total_tokens: 29,
        prompt_tokens_details: { cached_tokens: 7, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
    },
  );
  expect(messageOf(response)).toEqual({
    id: "msg_id1",
    type: "message",
    role: "assistant",
    model: UNKNOWN_MODEL,
    content: [
      thinkingBlock("First, …", ""),
      textBlock("It is sunny."),
      toolUse("call_1", "get_weather", { city: "Paris" }),
      toolUse("call_2", "get_time", {}),
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: {
      input_tokens: 12,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 7,
      output_tokens: 10,
      output_tokens_details: { thinking_tokens: 4 },
    },
  });
});

describe("content", () => {
  it.each<[string, Document, unknown]>([
    ["of an empty answer is empty", { content: "" }, []],
    [
      "has a call without id under a new one (Ollama)",
      { tool_calls: [functionCall("", "f", "{}")] },
      [toolUse("toolu_id2", "f", {})],
    ],
    [
      "has calls with the same id under two",
      { tool_calls: [functionCall("a", "f", "{}"), functionCall("a", "g", "{}")] },
      [toolUse("a", "f", {}), toolUse("toolu_id2", "g", {})],
    ],
    [
      "has repaired arguments",
      { tool_calls: [functionCall("a", "f", '{"a":[1,2')] },
      [toolUse("a", "f", { a: [1, 2] })],
    ],
    [
      "has Gemini's thought signature in the call's id",
      { tool_calls: [{ ...functionCall("a", "f", "{}"), extra_content: { google: { thought_signature: "Ab+/" } } }] },
      [toolUse("a__thought_Ab-_", "f", {})],
    ],
  ])("%s", (_, message, content) => {
    expect(contentOf(message)).toEqual(content);
  });

  it("has the client's own name of a tool whose name is too long for the provider", () => {
    const name = `mcp__server__${"x".repeat(80)}`;
    const translation = messagesToChat(
      { max_tokens: 1, messages: [], tools: [{ name, input_schema: {} }] },
      { publicModel: "m", model: null, now: 1, newId: () => "id" },
    );
    const [tool] = translation.body["tools"] as readonly { readonly function: { readonly name: string } }[];
    const response = completion({ tool_calls: [functionCall("a", tool?.function.name, "{}")] });
    expect(translation.response(response, {})["content"]).toMatchObject([{ name }]);
  });

  it("is that of the first choice", () => {
    const choices = [
      { index: 1, message: { content: "second" }, finish_reason: "length" },
      { index: 0, message: { content: "first" }, finish_reason: "stop" },
    ];
    expect(messageOf({ choices })).toMatchObject({ content: [{ text: "first" }], stop_reason: "end_turn" });
  });
});

describe("stop_reason", () => {
  it.each<[unknown, Document, string]>([
    ["stop", { content: "A" }, "end_turn"],
    ["length", { content: "A" }, "max_tokens"],
    ["length", { tool_calls: [functionCall("a", "f", "{")] }, "max_tokens"],
    ["tool_calls", { tool_calls: [functionCall("a", "f", "{}")] }, "tool_use"],
    ["function_call", { function_call: { name: "f", arguments: "{}" } }, "tool_use"],
    ["stop", { tool_calls: [functionCall("a", "f", "{}")] }, "tool_use"],
    ["tool_calls", { content: "A" }, "end_turn"],
    ["content_filter", { content: "" }, "refusal"],
    ["stop", { content: null, refusal: "I cannot." }, "refusal"],
    ["MAX_TOKENS", { content: "A" }, "max_tokens"],
    ["insufficient_system_resource", { content: "A" }, "end_turn"],
    [null, { content: "A" }, "end_turn"],
    [undefined, { content: "A" }, "end_turn"],
  ])("of %s with %j is %s", (finish, message, reason) => {
    expect(messageOf(completion(message, finish))).toMatchObject({ stop_reason: reason, stop_sequence: null });
  });

  it("names the sequence where the provider does (vLLM)", () => {
    const response = completion({ content: "A" }, "stop", {}, { stop_reason: "END" });
    expect(messageOf(response, { stop_sequences: ["END"] })).toMatchObject({
      stop_reason: "stop_sequence",
      stop_sequence: "END",
    });
    expect(messageOf(response, { stop_sequences: ["###"] })).toMatchObject({
      stop_reason: "end_turn",
      stop_sequence: null,
    });
  });

  it("keeps the words of a refusal", () => {
    expect(messageOf(completion({ content: null, refusal: "I cannot." }))["content"]).toEqual([textBlock("I cannot.")]);
  });
});

describe("usage", () => {
  it.each<[string, unknown, Document]>([
    ["none", undefined, { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 }],
    [
      "DashScope's, with tokens written to the cache",
      {
        prompt_tokens: 100,
        completion_tokens: 5,
        total_tokens: 105,
        prompt_tokens_details: { cached_tokens: 20, cache_creation_input_tokens: 30 },
      },
      { input_tokens: 50, cache_read_input_tokens: 20, cache_creation_input_tokens: 30, output_tokens: 5 },
    ],
  ])("%s", (_, usage, expected) => {
    expect(messageOf(completion({ content: "A" }, "stop", { usage }))["usage"]).toMatchObject(expected);
  });
});

it.each([{}, { choices: [] }, { choices: null }, { choices: ["x"] }, { choices: [{}] }])(
  "is a valid message for an answer without any: %j",
  (response) => {
    expect(messageOf(response)).toMatchObject({ type: "message", content: [], stop_reason: "end_turn" });
  },
);
