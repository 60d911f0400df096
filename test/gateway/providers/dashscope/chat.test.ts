import { describe, expect, it } from "vitest";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import type { ModelSpec } from "../../../../gateway/core/models/model.ts";
import { chat } from "../../../../gateway/providers/dashscope/chat.ts";
import { provider } from "../../../../gateway/providers/dashscope/provider.ts";
import { bodyOf, dialectCall } from "../dialect-call.ts";

const MESSAGES = [{ role: "user", content: "Hi" }];
const sent = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const { model, messages, ...rest } = bodyOf(
    chat.toRequest(dialectCall({ model: "qwen-plus", messages: MESSAGES, ...fields }), "k"),
  );
  expect(messages).toEqual(MESSAGES);
  expect(model).toBe(fields["model"] ?? "qwen-plus");
  return rest;
};

describe("thinking", () => {
  it.each([
    ["none", { enable_thinking: false }],
    ["minimal", { enable_thinking: true }],
    ["low", { enable_thinking: true }],
    ["high", { enable_thinking: true }],
  ])("an effort of %s is %j", (effort, fields) => {
    expect(sent({ reasoning_effort: effort })).toEqual(fields);
  });

  it("stands as the client said it in DashScope's own words", () => {
    const own = { enable_thinking: false, thinking_budget: 50 };
    expect(sent(own)).toEqual(own);
    expect(sent({ reasoning_effort: "high", ...own })).toEqual(own);
  });

  it("is not asked of models that cannot", () => {
    expect(sent({ model: "qwen-max", reasoning_effort: "high" })).toEqual({});
  });

  it("is left to models that take efforts, and switched for models that no one knows", () => {
    expect(sent({ model: "qwen3.8-max", reasoning_effort: "low" })).toEqual({ reasoning_effort: "low" });
    expect(sent({ model: "qwen9-preview", reasoning_effort: "low" })).toEqual({ enable_thinking: true });
  });
});

it("says the most tokens of a response in the one name that DashScope documents", () => {
  expect(sent({ max_completion_tokens: 9 })).toEqual({ max_tokens: 9 });
  expect(sent({ max_completion_tokens: 9, max_tokens: 7 })).toEqual({ max_tokens: 7 });
  expect(sent({ max_tokens: 7 })).toEqual({ max_tokens: 7 });
});

it.each([
  ["qwen4-max-preview", { max_tokens: 100 }, 110],
  ["qwen4-max-preview", { max_completion_tokens: 100 }, 110],
  ["qwen4-max-preview", {}, Infinity],
  ["qwen3.8-max", { max_tokens: 100 }, Infinity],
])("allows %s with %j at most %d tokens", (model, fields, most) => {
  const call = dialectCall({ model, messages: MESSAGES, ...fields });
  const spec = { ...findModel("qwen3.8-max"), id: model } as ModelSpec;
  expect(chat.allows({ ...call, model: spec }).perChoice).toBe(most);
  expect(sent({ model, ...fields })).toEqual(fields);
});

it("passes on what it does not know, and bytes that need no change", () => {
  const extras = { enable_search: true, top_k: 5, repetition_penalty: 1.1, vl_high_resolution_images: true };
  expect(sent(extras)).toEqual(extras);
  const call = dialectCall({ model: "qwen-plus", messages: MESSAGES, ...extras });
  expect(chat.toRequest(call, "k").body).toBe(call.raw);
});

/**
 * docs/providers/dashscope.md#hosts-and-headers: classic hosts, workspace hosts, either prefix, a proxy's path in
 * front.
 */
it.each([
  ["https://dashscope.aliyuncs.com", "https://dashscope.aliyuncs.com"],
  ["https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "https://dashscope-intl.aliyuncs.com"],
  ["https://dashscope-intl.aliyuncs.com/compatible-mode/v1/", "https://dashscope-intl.aliyuncs.com"],
  ["https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions", "https://dashscope-intl.aliyuncs.com"],
  ["https://dashscope-intl.aliyuncs.com/compatible-mode", "https://dashscope-intl.aliyuncs.com"],
  ["https://dashscope-us.aliyuncs.com/api/v1", "https://dashscope-us.aliyuncs.com"],
  ["https://dashscope-us.aliyuncs.com/api/v1/tasks/", "https://dashscope-us.aliyuncs.com"],
  ["https://dashscope-us.aliyuncs.com/v1", "https://dashscope-us.aliyuncs.com"],
  ["https://ws-1.ap-southeast-1.maas.aliyuncs.com/compatible-mode/v1", "https://ws-1.ap-southeast-1.maas.aliyuncs.com"],
  ["https://ws-1.cn-beijing.maas.aliyuncs.com/api/v1", "https://ws-1.cn-beijing.maas.aliyuncs.com"],
  ["http://127.0.0.1:9000//qwen/api/v1", "http://127.0.0.1:9000/qwen"],
])("puts the base URL %s right", (given, right) => {
  expect(provider.normalizeBaseUrl(new URL(given))).toBe(right);
});

it("asks for the list of models in the compatible mode", () => {
  expect(provider.models?.toRequest("k")).toMatchObject({ method: "GET", path: "/compatible-mode/v1/models" });
});
