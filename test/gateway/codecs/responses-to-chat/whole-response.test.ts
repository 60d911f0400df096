import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { answered, translated } from "./translated.ts";

const completion = (message: Document, finish = "stop", rest: Document = {}): Document => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }],
  ...rest,
});

it("is a complete response that tells the request's settings back", () => {
  const request = {
    instructions: "Be brief.",
    tools: [
      { type: "function", name: "f" },
      { type: "web_search" },
      {
        type: "namespace",
        name: "n",
        tools: [{ type: "function", name: "g", description: "G", parameters: {}, strict: true }],
      },
    ],
    tool_choice: "auto",
    parallel_tool_calls: false,
    text: { verbosity: "low" },
    reasoning: { effort: "high", summary: "auto" },
    temperature: 0.3,
    frequency_penalty: 0.5,
    top_p: 0.5,
    max_output_tokens: 99,
    metadata: { a: "b" },
    store: true,
    truncation: "auto",
    user: "u",
  };
  const usage = {
    prompt_tokens: 20,
    completion_tokens: 10,
    total_tokens: 30,
    prompt_tokens_details: { cached_tokens: 8 },
    completion_tokens_details: { reasoning_tokens: 4 },
  };
  expect(answered(translated(request), completion({ content: "Hello" }, "stop", { usage }))).toEqual({
    id: "resp_id1",
    object: "response",
    created_at: 1_700_000_000,
    completed_at: 1_700_000_000,
    status: "completed",
    background: false,
    error: null,
    frequency_penalty: 0.5,
    incomplete_details: null,
    instructions: "Be brief.",
    max_output_tokens: 99,
    max_tool_calls: null,
    model: "public-model",
    output: [
      {
        id: "msg_id2",
        type: "message",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "Hello", annotations: [], logprobs: [] }],
      },
    ],
    parallel_tool_calls: false,
    presence_penalty: 0,
    previous_response_id: null,
    prompt_cache_key: null,
    reasoning: { effort: "high", summary: "auto" },
    safety_identifier: null,
    service_tier: "default",
    store: false,
    temperature: 0.3,
    text: { verbosity: "low", format: { type: "text" } },
    tool_choice: "auto",
    tools: [
      { type: "function", name: "f", description: null, parameters: null, strict: null },
      { type: "web_search" },
      {
        type: "namespace",
        name: "n",
        tools: [{ type: "function", name: "g", description: "G", parameters: {}, strict: true }],
      },
    ],
    top_logprobs: 0,
    top_p: 0.5,
    truncation: "disabled",
    usage: {
      input_tokens: 20,
      input_tokens_details: { cached_tokens: 8, cache_write_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 4 },
      total_tokens: 30,
    },
    user: "u",
    metadata: { a: "b" },
  });
});

describe("the output", () => {
  it("has reasoning, text, refusal and calls in this order", () => {
    const response = answered(
      translated(),
      completion(
        {
          reasoning_content: "hm",
          content: "a",
          refusal: "b",
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } },
            { id: "", type: "function", function: { name: "g", arguments: "" } },
            { id: "call_1", type: "function", function: { name: "h" } },
          ],
        },
        "tool_calls",
      ),
    );
    expect(response["output"]).toEqual([
      { id: "rs_id2", type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
      {
        id: "msg_id3",
        type: "message",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "a", annotations: [], logprobs: [] }],
      },
      {
        id: "msg_id4",
        type: "message",
        status: "completed",
        role: "assistant",
        content: [{ type: "refusal", refusal: "b" }],
      },
      { id: "fc_id5", type: "function_call", call_id: "call_1", name: "f", arguments: "{}", status: "completed" },
      { id: "fc_id7", type: "function_call", call_id: "call_id6", name: "g", arguments: "{}", status: "completed" },
      { id: "fc_id9", type: "function_call", call_id: "call_id8", name: "h", arguments: "{}", status: "completed" },
    ]);
  });

  it("has the log probabilities of the text", () => {
    const logprobs = { content: [{ token: "a", logprob: -0.1, bytes: [97], top_logprobs: [] }], refusal: null };
    const [choice] = completion({ content: "a" })["choices"] as readonly Document[];
    const { output } = answered(translated(), { choices: [{ ...choice, logprobs }] });
    expect(output).toMatchObject([{ content: [{ logprobs: logprobs.content }] }]);
  });

  it("carries Gemini's thought signature in the id of the call", () => {
    const extra_content = { google: { thought_signature: "c2ln+bmF0/dXJl" } };
    const tool_calls = [{ id: "call_1", type: "function", extra_content, function: { name: "f", arguments: "{}" } }];
    const { output } = answered(translated(), completion({ tool_calls }));
    expect(output).toMatchObject([{ call_id: "call_1__thought_c2ln-bmF0_dXJl" }]);
  });
});

describe("how it ended", () => {
  it.each([
    ["length", "max_output_tokens"],
    ["max_tokens", "max_output_tokens"],
    ["content_filter", "content_filter"],
  ])("%s", (finish, reason) => {
    const response = answered(translated(), completion({ reasoning_content: "hm", content: "cut" }, finish));
    expect(response).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason },
      error: null,
      completed_at: null,
    });
    expect(response["output"]).toMatchObject([{ type: "reasoning" }, { type: "message", status: "incomplete" }]);
  });
});

describe("usage", () => {
  it("adds reasoning where the provider counts it next to the response", () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 22,
      completion_tokens_details: { reasoning_tokens: 7 },
    };
    expect(answered(translated(), completion({ content: "a" }, "stop", { usage }))["usage"]).toMatchObject({
      input_tokens: 10,
      output_tokens: 12,
      output_tokens_details: { reasoning_tokens: 7 },
      total_tokens: 22,
    });
  });

  it("is what was counted here where the provider reports none", () => {
    const { usage } = translated().response(completion({ content: "a" }), { input: 100, output: 10 });
    expect(usage).toMatchObject({ input_tokens: 100, output_tokens: 10, total_tokens: 110 });
  });
});

it("is a response without items where the provider said nothing", () => {
  expect(answered(translated(), { choices: [] })).toMatchObject({ status: "completed", output: [] });
});
