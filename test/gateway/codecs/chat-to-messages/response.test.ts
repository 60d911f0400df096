import { describe, expect, it } from "vitest";
import { chatToMessages } from "../../../../gateway/codecs/chat-to-messages/translate.ts";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { buildChatUsage } from "../../../../gateway/codecs/chat-to-messages/usage.ts";
import { createChatUnits } from "../../../../gateway/core/chat/chat-usage.ts";
import { answered, NOW } from "../support/translating.ts";

const MODEL = "claude-opus-5-5";
const message = (content: readonly unknown[], rest: Document = {}): Document => ({
  id: "msg_01XFDUDYJgAACzvnptvVoYEL",
  type: "message",
  role: "assistant",
  model: "claude-opus-5-5-20260922",
  content,
  stop_reason: "end_turn",
  stop_sequence: null,
  stop_details: null,
  usage: { input_tokens: 12, output_tokens: 6 },
  ...rest,
});
const completionOf = (response: Document): Document => answered(chatToMessages, response, {}, MODEL);
const choiceOf = (response: Document): Document => (completionOf(response)["choices"] as readonly Document[])[0] ?? {};
const text = (words: string): Document => ({ type: "text", text: words, citations: null });

it("is a whole chat completion", () => {
  const response = message(
    [
      { type: "thinking", thinking: "Let me", signature: "EqQB" },
      { type: "redacted_thinking", data: "xyz" },
      text("I look "),
      text("it up."),
      { type: "tool_use", id: "toolu_01", name: "get_weather", input: { city: "Paris" } },
      { type: "tool_use", id: "toolu_02", name: "get_time", input: {} },
    ],
    {
      stop_reason: "tool_use",
      usage: {
        input_tokens: 12,
        cache_creation_input_tokens: 30,
        cache_read_input_tokens: 100,
        output_tokens: 6,
        output_tokens_details: { thinking_tokens: 2 },
      },
    },
  );
  expect(completionOf(response)).toEqual({
    id: "chatcmpl-id1",
    object: "chat.completion",
    created: NOW,
    model: MODEL,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "I look it up.",
          refusal: null,
          reasoning_content: "Let me",
          thinking_blocks: [
            { type: "thinking", thinking: "Let me", signature: "EqQB" },
            { type: "redacted_thinking", data: "xyz" },
          ],
          tool_calls: [
            { id: "toolu_01", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
            { id: "toolu_02", type: "function", function: { name: "get_time", arguments: "{}" } },
          ],
        },
        logprobs: null,
        finish_reason: "tool_calls",
      },
    ],
    usage: {
      prompt_tokens: 142,
      completion_tokens: 6,
      total_tokens: 148,
      prompt_tokens_details: { cached_tokens: 100, cache_creation_tokens: 30, cache_write_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
  });
});

it("reports usage that the gateway's own meter reads right", () => {
  const usage = { input_tokens: 12, cache_creation_input_tokens: 30, cache_read_input_tokens: 100, output_tokens: 6 };
  expect(createChatUnits(completionOf(message([text("A")], { usage }))["usage"])).toEqual({
    input: 12,
    cache_write: 30,
    cached_input: 100,
    output: 6,
  });
});

it.each([undefined, null, {}, { input_tokens: -5, output_tokens: "many" }])("usage of %j is null", (usage) => {
  expect(completionOf(message([text("A")], { usage }))["usage"]).toMatchObject({
    prompt_tokens: 0,
    completion_tokens: 0,
    total_tokens: 0,
  });
});

describe("content", () => {
  it.each<[string, readonly unknown[], Document]>([
    ["of nothing is an empty text", [], { content: "" }],
    ["of a call alone is null", [{ type: "tool_use", id: "a", name: "f", input: {} }], { content: null }],
    [
      "has no thinking block without a signature",
      [{ type: "thinking", thinking: "hm", signature: "" }, text("A")],
      { content: "A", reasoning_content: "hm" },
    ],
    [
      "keeps a signature whose thinking was left out",
      [{ type: "thinking", thinking: "", signature: "Eq" }, text("A")],
      { content: "A", thinking_blocks: [{ type: "thinking", thinking: "", signature: "Eq" }] },
    ],
    [
      "has nothing of Anthropic's own tools",
      [
        { type: "server_tool_use", id: "s", name: "web_search", input: {} },
        { type: "web_search_tool_result", tool_use_id: "s", content: [] },
        text("A"),
      ],
      { content: "A" },
    ],
  ])("%s", (_, content, expected) => {
    expect(choiceOf(message(content))["message"]).toEqual({
      role: "assistant",
      refusal: null,
      ...expected,
      ...(content[0] !== undefined && (content[0] as Document)["type"] === "tool_use"
        ? { tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }] }
        : {}),
    });
  });
});

describe("finish_reason", () => {
  const call = { type: "tool_use", id: "a", name: "f", input: {} };
  it.each<[unknown, unknown, string]>([
    ["end_turn", text("A"), "stop"],
    ["stop_sequence", text("A"), "stop"],
    ["pause_turn", text("A"), "stop"],
    ["max_tokens", text("A"), "length"],
    ["model_context_window_exceeded", text("A"), "length"],
    ["tool_use", call, "tool_calls"],
    ["refusal", text("A"), "content_filter"],
    ["something_new", text("A"), "stop"],
    [null, text("A"), "stop"],
  ])("of %s is %s", (stopReason, block, finish) => {
    expect(choiceOf(message([block], { stop_reason: stopReason }))["finish_reason"]).toBe(finish);
  });

  it("comes with the explanation of a refusal", () => {
    const details = { type: "refusal", category: "bio", explanation: "I cannot help with that." };
    expect(choiceOf(message([], { stop_reason: "refusal", stop_details: details }))).toMatchObject({
      message: { refusal: "I cannot help with that." },
      finish_reason: "content_filter",
    });
  });
});

it("counts every kind of prompt token, and names those that the cache gave and took", () => {
  const units = { input: 1, cached_input: 2, cached_audio_input: 4, cache_write: 8, cache_write_1h: 16, output: 32 };
  expect(buildChatUsage({ ...units, reasoning: 64 })).toEqual({
    prompt_tokens: 31,
    completion_tokens: 96,
    total_tokens: 127,
    prompt_tokens_details: { cached_tokens: 6, cache_creation_tokens: 24, cache_write_tokens: 24 },
    completion_tokens_details: { reasoning_tokens: 64 },
  });
  expect(buildChatUsage(units)).not.toHaveProperty("completion_tokens_details");
});
