import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { messagesRequestSchema } from "../../../../gateway/contract/messages.ts";
import { validate } from "../../../../gateway/core/validation.ts";
import { claudeBodyOf, HI, refusalOf } from "../support/translating.ts";

const NEW = "claude-opus-5-5";
/** The last version that takes sampling parameters, and the first with adaptive thinking. */
const LAST_SAMPLED = "claude-opus-4-6";
const OLD = "claude-sonnet-4-5";
const PARAMETERS = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const WEATHER = {
  type: "function",
  function: { name: "get_weather", description: "The weather", parameters: PARAMETERS },
};
const CLAUDE_WEATHER = { name: "get_weather", description: "The weather", input_schema: PARAMETERS };

it("translates a request field by field", () => {
  const body = {
    model: OLD,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Weather in Paris?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: [{ type: "text", text: "15C" }] },
    ],
    max_completion_tokens: 500,
    tools: [WEATHER],
    tool_choice: "required",
    parallel_tool_calls: false,
    stop: ["END", " \n"],
    temperature: 1.7,
    top_p: 0.9,
    user: "u1",
    stream: true,
    stream_options: { include_usage: true },
    seed: 1,
    frequency_penalty: 0.5,
    logit_bias: {},
    metadata: { a: "b" },
    service_tier: "default",
    house_field: true,
  };
  const translated = claudeBodyOf(body, OLD);
  expect(translated).toEqual({
    model: OLD,
    max_tokens: 500,
    system: [{ type: "text", text: "Be brief." }],
    messages: [
      { role: "user", content: [{ type: "text", text: "Weather in Paris?" }] },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Paris" } }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "call_1", content: [{ type: "text", text: "15C" }] }],
      },
    ],
    stream: true,
    tools: [CLAUDE_WEATHER],
    tool_choice: { type: "any", disable_parallel_tool_use: true },
    temperature: 1,
    stop_sequences: ["END"],
    metadata: { user_id: "u1" },
  });
  expect(validate(messagesRequestSchema, translated)).toBe(translated);
});

describe("max_tokens", () => {
  it.each<[string, Document, number]>([
    [NEW, {}, 32_000],
    ["claude-opus-4-1", {}, 32_000],
    ["claude-house-9", {}, 32_000],
    [NEW, { max_tokens: 7 }, 7],
    [NEW, { max_tokens: 7, max_completion_tokens: 9 }, 9],
    ["claude-opus-4-1", { max_tokens: 64_000 }, 32_000],
    ["claude-house-9", { max_tokens: 64_000 }, 64_000],
  ])("%s %j: %i", (model, body, limit) => {
    expect(claudeBodyOf(body, model)["max_tokens"]).toBe(limit);
  });
});

describe("temperature and top_p", () => {
  it.each<[string, Document, Document]>([
    [LAST_SAMPLED, { temperature: 0.2 }, { temperature: 0.2 }],
    [LAST_SAMPLED, { temperature: 0.2, top_p: 0.5 }, { temperature: 0.2 }],
    [LAST_SAMPLED, { top_p: 0.5 }, { top_p: 0.5 }],
    [OLD, { temperature: 2 }, { temperature: 1 }],
    ["claude-3-5-haiku-20241022", { temperature: 0 }, { temperature: 0 }],
    ["anthropic/claude-sonnet-4.5", { temperature: 0 }, { temperature: 0 }],
    ["claude-sonnet-4-20250514", { temperature: 0 }, { temperature: 0 }],
    ["claude-opus-4-7", { temperature: 0.2, top_p: 0.5 }, {}],
    ["claude-opus-4-10", { temperature: 0.2 }, {}],
    ["claude-sonnet-5", { temperature: 0.2 }, {}],
    [NEW, { temperature: 0.2 }, {}],
    ["claude-without-a-version", { temperature: 0.2 }, {}],
    // Thinking goes with the default only.
    [OLD, { temperature: 0.2, reasoning_effort: "low" }, {}],
    [LAST_SAMPLED, { temperature: 0.2, reasoning_effort: "none" }, { temperature: 0.2 }],
  ])("%s %j", (model, body, sent) => {
    const { temperature, top_p } = claudeBodyOf(body, model);
    expect({ temperature, top_p }).toEqual({ temperature: undefined, top_p: undefined, ...sent });
  });
});

describe("tools", () => {
  const choiceOf = (choice: unknown, rest: Document = {}): unknown =>
    claudeBodyOf({ tools: [WEATHER], tool_choice: choice, ...rest })["tool_choice"];

  it.each<[unknown, Document, unknown]>([
    ["auto", {}, { type: "auto" }],
    ["none", {}, { type: "none" }],
    ["required", {}, { type: "any" }],
    [{ type: "function", function: { name: "get_weather" } }, {}, { type: "tool", name: "get_weather" }],
    [null, {}, undefined],
    [null, { parallel_tool_calls: false }, { type: "auto", disable_parallel_tool_use: true }],
    [null, { parallel_tool_calls: true }, undefined],
    ["none", { parallel_tool_calls: false }, { type: "none" }],
  ])("choice %j with %j: %j", (choice, rest, mapped) => {
    expect(choiceOf(choice, rest)).toEqual(mapped);
  });

  it("are narrowed to those that are allowed", () => {
    const other = { type: "function", function: { name: "other" } };
    const choice = {
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "other" } }] },
    };
    expect(claudeBodyOf({ tools: [WEATHER, other], tool_choice: choice })).toMatchObject({
      tools: [{ name: "other", input_schema: { type: "object", properties: {} } }],
      tool_choice: { type: "any" },
    });
  });

  it("keep cache control, and lose strictness and tools that are no functions", () => {
    const cached = {
      ...WEATHER,
      function: { ...WEATHER.function, strict: true },
      cache_control: { type: "ephemeral" },
    };
    expect(claudeBodyOf({ tools: [cached, { type: "web_search" }] })["tools"]).toEqual([
      { ...CLAUDE_WEATHER, cache_control: { type: "ephemeral" } },
    ]);
  });

  it("of a history with calls are declared where the request declares none", () => {
    const messages = [
      ...HI,
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "" } }],
      },
      { role: "tool", tool_call_id: "a", content: "done" },
    ];
    expect(claudeBodyOf({ messages })).toMatchObject({
      tools: [{ name: "f", input_schema: { type: "object", properties: {} } }],
      tool_choice: { type: "none" },
    });
  });
});

describe("other fields", () => {
  it.each<[string, Document, string, unknown]>([
    ["one stop", { stop: "END" }, "stop_sequences", ["END"]],
    ["a stop of white space", { stop: "\n" }, "stop_sequences", undefined],
    ["a safety identifier", { safety_identifier: "s" }, "metadata", { user_id: "s" }],
    ["a user id that is too long", { user: "u".repeat(257) }, "metadata", undefined],
    ["no stream", { stream: false }, "stream", undefined],
  ])("%s", (_, body, field, sent) => {
    expect(claudeBodyOf(body)[field]).toEqual(sent);
  });
});

describe("what Claude models do not do is refused by its name", () => {
  it.each<[string, Document]>([
    ["n", { n: 2 }],
    ["functions", { functions: [{ name: "f" }] }],
    ["modalities", { modalities: ["text", "audio"], audio: { voice: "alloy" } }],
  ])("%s", (param, body) => {
    expect(refusalOf(() => claudeBodyOf(body))).toMatchObject({
      code: "unsupported_value",
      status: 400,
      details: { param },
    });
  });

  it("n of 1 is fine", () => {
    expect(claudeBodyOf({ n: 1 })).not.toHaveProperty("n");
  });
});
