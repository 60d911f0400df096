import { describe, expect, it } from "vitest";
import { chat } from "../../../../gateway/providers/gemini/chat.ts";
import { provider } from "../../../../gateway/providers/gemini/provider.ts";
import { bodyOf, dialectCall } from "../dialect-call.ts";

const USER = { role: "user", content: "What is the weather in Paris and Rome?" };
const callOf = (id: string, signature?: string): object => ({
  id,
  type: "function",
  function: { name: "get_weather", arguments: '{"city":"Paris"}' },
  ...(signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }),
});
const turn = (...calls: readonly object[]): readonly object[] => [
  USER,
  { role: "assistant", content: null, tool_calls: calls },
  { role: "tool", tool_call_id: "a", content: "15 °C" },
];
const wireOf = (body: Readonly<Record<string, unknown>>) => {
  const call = dialectCall({ model: "gemini-3-pro-preview", ...body });
  return { call, wire: chat.toRequest(call, "AIza-key") };
};

describe("thought signatures", () => {
  it("come back to Google as the client sends them, byte for byte", () => {
    const { call, wire } = wireOf({ messages: turn(callOf("a", "EtoFCtcFAXLI"), callOf("b")) });
    expect(wire.body).toBe(call.raw);
  });

  it("that a client lost, or never had, are stood in for at the first call of the turn", () => {
    const { wire } = wireOf({ messages: [...turn(callOf("a"), callOf("b")), ...turn(callOf("c", "EtoF"))] });
    const skipped = callOf("a", "skip_thought_signature_validator");
    expect(bodyOf(wire)["messages"]).toEqual([...turn(skipped, callOf("b")), ...turn(callOf("c", "EtoF"))]);
  });

  it("keep what else stands next to them", () => {
    const call = { ...callOf("a"), extra_content: { google: { thought_signature: "", note: 1 }, other: 2 } };
    const { wire } = wireOf({ messages: turn(call) });
    expect(bodyOf(wire)["messages"]).toEqual(
      turn({
        ...call,
        extra_content: { google: { thought_signature: "skip_thought_signature_validator", note: 1 }, other: 2 },
      }),
    );
  });

  it.each(["gemini-2.5-pro", "gemini-2.5-flash-lite"])("are not asked for by %s", (model) => {
    const { call, wire } = wireOf({ model, messages: turn(callOf("a")) });
    expect(wire.body).toBe(call.raw);
  });

  it.each([
    [[]],
    [[null, 5, "x"]],
    [[{ role: "assistant", tool_calls: [] }]],
    [[{ role: "assistant", tool_calls: "x" }]],
  ])("trip over no message: %j", (messages) => {
    const { call, wire } = wireOf({ messages });
    expect(wire.body).toBe(call.raw);
  });
});

it("leaves out what Google refuses a whole request for", () => {
  const { wire } = wireOf({
    messages: [USER],
    store: false,
    metadata: { a: "b" },
    web_search_options: {},
    prompt_cache_key: "k",
    temperature: 0.5,
    reasoning_effort: "low",
  });
  expect(bodyOf(wire)).toEqual({
    model: "gemini-3-pro-preview",
    messages: [USER],
    temperature: 0.5,
    reasoning_effort: "low",
  });
});

it("passes Google's own extras on", () => {
  const extra_body = { google: { thinking_config: { thinking_budget: 1_024, include_thoughts: true } } };
  const { call, wire } = wireOf({ messages: [USER], extra_body });
  expect(wire).toMatchObject({ method: "POST", path: "/v1beta/openai/chat/completions" });
  expect(wire.headers["authorization"]).toBe("Bearer AIza-key");
  expect(wire.body).toBe(call.raw);
});

describe("thoughts", () => {
  it.each([
    [
      "in the total alone",
      { prompt_tokens: 9, completion_tokens: 28, total_tokens: 281 },
      { input: 9, output: 28, reasoning: 244 },
    ],
    ["absent", { prompt_tokens: 9, completion_tokens: 28, total_tokens: 37 }, { input: 9, output: 28 }],
    ["without a total", { prompt_tokens: 9, completion_tokens: 28 }, { input: 9, output: 28 }],
  ])("%s are billed once", (_name, usage, units) => {
    expect(chat.toUnits(usage)).toEqual(units);
  });
});

it("knows the models of its list by the names that the catalog has for them", () => {
  expect(provider.models?.toRequest("k")).toMatchObject({ method: "GET", path: "/v1beta/openai/models" });
  const body = {
    object: "list",
    data: [
      { id: "models/gemini-2.5-pro", object: "model", owned_by: "google" },
      { id: "gemini-3-pro-preview", object: "model", owned_by: "google" },
    ],
  };
  expect(provider.models?.fromResponse(body)?.map(({ id }) => id)).toEqual(["gemini-2.5-pro", "gemini-3-pro-preview"]);
  expect(provider.models?.fromResponse({ models: [] })).toBeNull();
});

it.each([
  ["https://generativelanguage.googleapis.com", "https://generativelanguage.googleapis.com"],
  ["https://generativelanguage.googleapis.com/v1beta/openai/", "https://generativelanguage.googleapis.com"],
  ["https://generativelanguage.googleapis.com/v1beta", "https://generativelanguage.googleapis.com"],
  ["https://generativelanguage.googleapis.com/v1/", "https://generativelanguage.googleapis.com"],
  [
    "https://gateway.ai.cloudflare.com/v1/A/G/google-ai-studio",
    "https://gateway.ai.cloudflare.com/v1/A/G/google-ai-studio",
  ],
  [
    "https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent",
    "https://generativelanguage.googleapis.com",
  ],
  ["http://127.0.0.1:9000/google//v1beta/models", "http://127.0.0.1:9000/google"],
])("puts the base URL %s right", (given, right) => {
  expect(provider.normalizeBaseUrl(new URL(given))).toBe(right);
});
