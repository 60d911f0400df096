import { describe, expect, test } from "vitest";
import { applyChatRules, type ChatBody } from "../../../../gateway/core/chat/chat-rules.ts";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import type { ModelSpec, Reasoning } from "../../../../gateway/core/models/model.ts";

function model(reasoning?: Reasoning): ModelSpec {
  return {
    id: "m",
    owner: "o",
    displayName: "M",
    aliases: [],
    capabilities: ["chat"],
    contextLength: null,
    maxOutput: null,
    ...(reasoning === undefined ? {} : { reasoning }),
    price: null,
    created: 0,
  };
}

const reasoner = model({ efforts: ["none", "low", "medium", "high", "xhigh"], dropsSampling: true });
const thinker = model({ efforts: [], dropsSampling: false });
const plain = model();
const base = { model: "m", messages: [{ role: "user", content: "hi" }] };
const tools = [{ type: "function", function: { name: "get_weather" } }];

function errorOf(body: ChatBody, spec: ModelSpec | null): GatewayError {
  try {
    applyChatRules(body, spec);
  } catch (error) {
    if (error instanceof GatewayError) return error;
  }
  throw new Error("expected a GatewayError");
}

describe("rule 1: reasoning models ignore sampling parameters in silence", () => {
  const ignored = {
    temperature: 0.2,
    top_p: 0.9,
    stop: ["x"],
    frequency_penalty: 1,
    presence_penalty: 1,
    logit_bias: { 1: 1 },
    logprobs: true,
    top_logprobs: 3,
    modalities: ["text", "audio"],
    audio: { voice: "alloy" },
    prediction: { type: "content", content: "x" },
  };

  test.each(Object.entries(ignored))("drops %s", (field, value) => {
    const { body, changed } = applyChatRules({ ...base, [field]: value }, reasoner);
    expect(body).toEqual(base);
    expect(changed).toBe(true);
  });

  test("drops all of them at once and keeps the rest", () => {
    const stored = { ...base, seed: 1, max_completion_tokens: 5, reasoning_effort: "low", user: "u", verbosity: "low" };
    expect(applyChatRules({ ...stored, ...ignored }, reasoner).body).toEqual(stored);
  });

  test("keeps the default temperature, as the provider does", () => {
    const body = { ...base, temperature: 1 };
    expect(applyChatRules(body, reasoner)).toEqual({ body, changed: false });
  });

  test("drops before the dependency checks: what is ignored cannot be wrong", () => {
    expect(applyChatRules({ ...base, top_logprobs: 3, audio: { voice: "alloy" } }, reasoner).body).toEqual(base);
  });

  test.each([
    ["a plain model", plain],
    ["a reasoning model of another kind", thinker],
  ])("keeps them for %s", (_, spec) => {
    const body = { ...base, ...ignored };
    expect(applyChatRules(body, spec).body).toBe(body);
  });

  test.each([
    ["gpt-5.9-nova", true],
    ["gpt-7", true],
    ["gpt-10-mini", true],
    ["o5", true],
    ["o4-mini-high", true],
    ["openrouter/openai/gpt-5", true],
    ["o4-mini-deep-research", true],
    ["gpt-5-chat-latest", false],
    ["gpt-4.1", false],
    ["gpt-image-2", false],
    ["llama-3", false],
    ["omni", false],
    ["gpt-5-search-api", false],
  ])("knows %s, which is not in the catalog, by its name: drops is %s", (id, drops) => {
    const { body } = applyChatRules({ ...base, model: id, top_p: 0.5 }, null);
    expect("top_p" in body).toBe(!drops);
  });
});

describe("rule 3: reasoning_effort", () => {
  test("an unsupported value is refused with the list", () => {
    const error = errorOf({ ...base, reasoning_effort: "minimal" }, reasoner);
    expect(error).toMatchObject({ code: "unsupported_value", status: 400, details: { param: "reasoning_effort" } });
    expect(error.message).toBe(
      "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. " +
        "Supported values are: 'none', 'low', 'medium', 'high', and 'xhigh'.",
    );
  });

  test.each([
    [["high"], "'high'."],
    [["low", "high"], "'low' and 'high'."],
  ])("writes the list %j as %s", (efforts, text) => {
    const spec = model({ efforts, dropsSampling: true });
    expect(errorOf({ ...base, reasoning_effort: "max" }, spec).message.endsWith(text)).toBe(true);
  });

  test.each(["none", "low", "medium", "high", "xhigh"])("takes %s", (effort) => {
    const body = { ...base, reasoning_effort: effort };
    expect(applyChatRules(body, reasoner).body).toBe(body);
  });

  test.each([
    ["whose list is unknown", thinker],
    ["that does not reason", plain],
    ["that is not in the catalog", null],
  ])("leaves it to the provider for a model %s", (_, spec) => {
    const body = { ...base, reasoning_effort: "anything" };
    expect(applyChatRules(body, spec).body).toBe(body);
  });

  test("null means not given", () => {
    expect(applyChatRules({ ...base, reasoning_effort: null }, reasoner).changed).toBe(false);
  });
});

describe("fields that need another field", () => {
  test.each([
    ["stream_options", { stream_options: { include_usage: true } }],
    ["stream_options", { stream_options: {}, stream: false }],
    ["top_logprobs", { top_logprobs: 2 }],
    ["top_logprobs", { top_logprobs: 0, logprobs: false }],
    ["audio", { audio: { voice: "alloy" } }],
    ["audio", { audio: { voice: "alloy" }, modalities: ["text"] }],
  ])("refuses %s in %j", (param, fields) => {
    expect(errorOf({ ...base, ...fields }, plain)).toMatchObject({
      code: "invalid_value",
      status: 400,
      details: { param },
    });
  });

  test.each([
    [{ stream_options: { include_usage: true }, stream: true }],
    [{ stream_options: null, stream: false }],
    [{ top_logprobs: 2, logprobs: true }],
    [{ top_logprobs: null }],
    [{ audio: { voice: "alloy" }, modalities: ["text", "audio"] }],
    [{ audio: null }],
  ])("takes %j", (fields) => {
    const body = { ...base, ...fields };
    expect(applyChatRules(body, plain)).toEqual({ body, changed: false });
  });

  test("a plain model keeps its logprobs next to top_logprobs", () => {
    const body = { ...base, logprobs: true, top_logprobs: 5 };
    expect(applyChatRules(body, plain).body).toBe(body);
  });
});

describe("tools", () => {
  test.each([{ tool_choice: "auto" }, { parallel_tool_calls: true }, { tool_choice: null, tools: [] }])(
    "drops %j without tools",
    (fields) => {
      const { body, changed } = applyChatRules({ ...base, ...fields }, plain);
      expect(body).not.toHaveProperty("tool_choice");
      expect(body).not.toHaveProperty("parallel_tool_calls");
      expect(changed).toBe(true);
    },
  );

  test.each(["auto", "none", "required", "any"])("leaves the word %s as it is", (choice) => {
    const body = { ...base, tools, tool_choice: choice, parallel_tool_calls: false };
    expect(applyChatRules(body, plain).body).toBe(body);
  });

  test("a tool's name becomes the form that providers take", () => {
    expect(applyChatRules({ ...base, tools, tool_choice: "get_weather" }, plain).body["tool_choice"]).toEqual({
      type: "function",
      function: { name: "get_weather" },
    });
  });

  test("a word that names no tool is left to the model", () => {
    expect(applyChatRules({ ...base, tools, tool_choice: "validated" }, plain).body["tool_choice"]).toBe("auto");
  });
});

test("never changes what it was given", () => {
  const body = Object.freeze({ ...base, temperature: 0.1, tool_choice: "auto", top_p: 1 });
  const before = JSON.stringify(body);
  applyChatRules(body, reasoner);
  expect(JSON.stringify(body)).toBe(before);
});

test("an own __proto__ field stays data in a changed copy", () => {
  const body = JSON.parse('{"model":"m","messages":[],"top_p":0.5,"__proto__":{"polluted":true}}') as ChatBody;
  const ruled = applyChatRules(body, reasoner).body;
  expect(JSON.stringify(ruled)).toBe('{"model":"m","messages":[],"__proto__":{"polluted":true}}');
  expect(Object.getPrototypeOf(ruled)).toBe(Object.prototype);
});
