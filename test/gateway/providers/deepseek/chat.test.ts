import { describe, expect, it } from "vitest";
import { chat } from "../../../../gateway/providers/deepseek/provider.ts";
import { bodyOf, dialectCall } from "../dialect-call.ts";

const model = "deepseek-v4-pro";
const messages = [{ role: "user", content: "Hi" }];
const sent = (body: object, change = {}): Record<string, unknown> =>
  bodyOf(chat.toRequest(dialectCall({ model, messages, ...body }, change), "k"));

describe("what goes to DeepSeek", () => {
  it.each([
    ["its name for the bound", { max_completion_tokens: 50 }, { max_tokens: 50 }],
    ["the lower of two bounds", { max_completion_tokens: 50, max_tokens: 40 }, { max_tokens: 40 }],
    ["its own fields", { thinking: { type: "disabled" } }, { thinking: { type: "disabled" } }],
    ["a wish for usage", { stream: true }, { stream: true, stream_options: { include_usage: true } }],
  ])("has %s", (_, given, expected) => {
    expect(sent(given)).toEqual({ model, messages, ...expected });
  });

  it("is the client's own bytes where nothing is to be changed", () => {
    const call = dialectCall({ model, messages, temperature: 0.2, max_tokens: 5 });
    expect(chat.toRequest(call, "k").body).toBe(call.raw);
  });

  it("is bounded by the money that there is, in the field that it obeys", () => {
    expect(sent({}, { bound: 100 })).toEqual({ model, messages, max_tokens: 100 });
  });

  it("has the thoughts of earlier turns, which V4 wants back", () => {
    const turns = [
      { role: "developer", content: "Be brief." },
      { role: "assistant", content: "", reasoning_content: "hm", tool_calls: [{ id: "call_1", type: "function" }] },
      { role: "tool", tool_call_id: "call_1", content: "4" },
    ];
    expect(sent({ messages: turns })["messages"]).toEqual([
      { role: "system", content: "Be brief." },
      ...turns.slice(1),
    ]);
  });

  it("has a thought with calls of tools that another model has made without", () => {
    const call = { role: "assistant", content: "", tool_calls: [{ id: "call_1", type: "function" }] };
    const turns = [...messages, call, { role: "tool", tool_call_id: "call_1", content: "4" }];
    const padded = [...messages, { ...call, reasoning_content: " " }, turns[2]];
    expect(sent({ messages: turns, thinking: { type: "disabled" } })["messages"]).toEqual(turns);
    expect(sent({ messages: turns })["messages"]).toEqual(padded);
    expect(sent({ messages: [turns[0], { ...call, reasoning_content: "" }, turns[2]] })["messages"]).toEqual(padded);
    const texts = [...messages, { role: "assistant", content: "Hello." }, ...messages];
    expect(sent({ messages: texts })["messages"]).toEqual(texts);
  });
});

it("reads what hit its cache and what it reasoned as parts of prompt and completion", () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 50,
    total_tokens: 150,
    prompt_cache_hit_tokens: 64,
    prompt_cache_miss_tokens: 36,
    completion_tokens_details: { reasoning_tokens: 30 },
  };
  expect(chat.toUnits(usage)).toEqual({ input: 36, cached_input: 64, output: 20, reasoning: 30 });
});
