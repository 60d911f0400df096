import { describe, expect, it } from "vitest";
import { chat } from "../../../../gateway/providers/mistral/chat.ts";
import { buildOwnMessages } from "../../../../gateway/providers/own-messages.ts";
import { bodyOf, dialectCall } from "../dialect-call.ts";

const model = "mistral-large-latest";
const messages = [{ role: "user", content: "Hi" }];
const sent = (body: object, change = {}): Record<string, unknown> =>
  bodyOf(chat.toRequest(dialectCall({ model, messages, ...body }, change), "k"));

describe("what goes to Mistral", () => {
  it.each([
    ["its name for the seed", { seed: 7 }, { random_seed: 7 }],
    ["its own seed, where both are given", { seed: 7, random_seed: 8 }, { random_seed: 8 }],
    ["no seed that is null", { seed: null }, {}],
    ["its name for the bound", { max_completion_tokens: 50 }, { max_tokens: 50 }],
    ["the lower of two bounds", { max_completion_tokens: 50, max_tokens: 40 }, { max_tokens: 40 }],
    [
      "no wish for usage, which it refuses",
      { stream: true, stream_options: { include_usage: true } },
      { stream: true },
    ],
    ["nothing about the user", { user: "u", safety_identifier: "s", store: false }, {}],
    ["nothing of OpenAI's own service", { verbosity: "low", service_tier: "auto" }, {}],
    [
      "its own fields",
      { safe_prompt: true, prompt_cache_key: "k", n: 2 },
      { safe_prompt: true, prompt_cache_key: "k", n: 2 },
    ],
    ["what would change the answer, to be refused", { logprobs: true }, { logprobs: true }],
  ])("has %s", (_, given, expected) => {
    expect(sent(given)).toEqual({ model, messages, ...expected });
  });

  it("is the client's own bytes where nothing is to be changed, streams too", () => {
    const call = dialectCall({ model, messages, stream: true, temperature: 0.2 });
    expect(chat.toRequest(call, "k").body).toBe(call.raw);
  });

  it("is bounded by the money that there is, in the field that it obeys", () => {
    expect(sent({}, { bound: 100 })).toEqual({ model, messages, max_tokens: 100 });
  });

  it("has ids of calls in its form, the same for a call and its result, and no thoughts of others", () => {
    const body = {
      messages: [
        { role: "developer", content: "Be brief." },
        { role: "assistant", content: "", reasoning_content: "hm", tool_calls: [{ id: "call_1", type: "function" }] },
        { role: "tool", tool_call_id: "call_1", content: "4" },
        { role: "assistant", tool_calls: [{ id: "a1B2c3D4e", type: "function" }] },
        { role: "tool", tool_call_id: "a1B2c3D4e", content: "5" },
      ],
    };
    const id = expect.stringMatching(/^[a-zA-Z0-9]{9}$/);
    const got = sent(body)["messages"] as { tool_calls?: { id: string }[]; tool_call_id?: string }[];
    expect(got).toEqual([
      { role: "system", content: "Be brief." },
      { role: "assistant", content: "", tool_calls: [{ id, type: "function" }] },
      { role: "tool", tool_call_id: id, content: "4" },
      body.messages[3],
      body.messages[4],
    ]);
    expect(got[2]?.tool_call_id).toBe(got[1]?.tool_calls?.[0]?.id);
  });

  it("has its own thoughts, which others get the session without", () => {
    const thought = { type: "thinking", thinking: [{ type: "text", text: "Hm." }] };
    const text = { type: "text", text: "Hello." };
    const calls = [{ id: "a1B2c3D4e", type: "function" }];
    const given = [
      ...messages,
      { role: "assistant", content: [thought, text] },
      ...messages,
      { role: "assistant", content: [thought], tool_calls: calls },
    ];
    expect(sent({ messages: given })["messages"]).toEqual(given);
    expect(buildOwnMessages(given, {}, "gpt-4.1")).toEqual([
      ...messages,
      { role: "assistant", content: [text] },
      ...messages,
      { role: "assistant", content: null, tool_calls: calls },
    ]);
  });

  it("has a turn of the model between results of tools and what the user says", () => {
    const call = { role: "assistant", tool_calls: [{ id: "a1B2c3D4e", type: "function" }] };
    const result = { role: "tool", tool_call_id: "a1B2c3D4e", content: "4" };
    const [user] = messages;
    const bridge = { role: "assistant", content: "OK." };
    const given = [user, call, result, user, call, result];
    expect(sent({ messages: given })["messages"]).toEqual(given.toSpliced(3, 0, bridge));
  });
});

it("reads cached tokens as a part of the prompt", () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 64 },
  };
  expect(chat.toUnits(usage)).toEqual({ input: 36, cached_input: 64, output: 20 });
});
