import { describe, expect, test } from "vitest";
import { chatRequestSchema } from "../../../../gateway/contract/chat.ts";
import { validate } from "../../../../gateway/core/validation.ts";
import { errorOf, minimal } from "./chat-request-fixture.ts";

/** Each row of the specification's table: what it takes, and what it refuses by the field's name. */
const ROWS: readonly (readonly [field: string, good: readonly unknown[], bad: readonly unknown[]])[] = [
  ["model", ["gpt-5.4", "openrouter/deepseek/deepseek-chat"], ["", 5, null, {}]],
  ["messages", [[{ role: "user", content: "x" }]], [[], "hi", null]],
  ["stream", [true, false, null], ["true", 1]],
  ["temperature", [0, 2, 0.7, null], [-0.01, 2.01, "1"]],
  ["max_tokens", [1, 100_000, null], [0, -1, 1.5, "5"]],
  ["top_p", [0, 1, null], [-0.1, 1.1, []]],
  ["tools", [[], [{ type: "function", function: { name: "f" } }], [{ type: "custom", custom: { name: "c" } }]], [{}]],
  ["tool_choice", ["auto", "none", "f", { type: "function", function: { name: "f" } }], [5, ["auto"]]],
  ["response_format", [{ type: "json_object" }, { type: "json_schema", json_schema: { name: "a" } }], ["json"]],
  ["stop", ["END", ["a", "b"], [], null], [5, {}]],
  ["n", [1, 128, null], [0, 129, 1.5]],
  ["seed", [0, -7, 2 ** 64, null], [0.5, "1"]],
  ["frequency_penalty", [-2, 2], [-2.1, 2.1, "0"]],
  ["presence_penalty", [-2, 2], [-2.1, 2.1, true]],
  ["logit_bias", [{}, { "50256": -100 }], [[]]],
  ["parallel_tool_calls", [true, false], ["yes"]],
  ["logprobs", [true, false], [1]],
  ["top_logprobs", [0, 20], [21, -1, "2"]],
  ["max_completion_tokens", [1], [0, "1"]],
  ["reasoning_effort", ["low", "whatever"], [1, {}]],
  ["verbosity", ["low", "medium", "high"], ["max", 1]],
  ["modalities", [["text", "audio"]], ["text"]],
  ["audio", [{ voice: "alloy", format: "wav" }, { voice: { id: "v" } }], ["alloy"]],
  ["prediction", [{ type: "content", content: "x" }], ["x"]],
  ["stream_options", [{}, { include_usage: true, include_obfuscation: false }], [true]],
  ["store", [true], ["true"]],
  ["metadata", [{ a: "b" }, {}], [[], "a"]],
  ["user", ["u"], [1]],
  ["prompt_cache_key", ["k"], [1]],
  ["prompt_cache_retention", ["24h", "in_memory"], [24]],
];

/** What is refused by the name of a field further inside. */
const INNER: readonly (readonly [field: string, value: unknown, param: string])[] = [
  ["messages", [5], "messages[0]"],
  ["tools", ["f"], "tools[0]"],
  ["tools", [{}], "tools[0].type"],
  ["tools", [{ type: "function", function: {} }], "tools[0].function.name"],
  ["tools", [{ type: "function", function: { name: "f", parameters: "none" } }], "tools[0].function.parameters"],
  ["response_format", {}, "response_format.type"],
  ["stop", [5], "stop[0]"],
  ["logit_bias", { "1": "x" }, "logit_bias.1"],
  ["logit_bias", { "1": 101 }, "logit_bias.1"],
  ["modalities", [1], "modalities[0]"],
  ["stream_options", { include_usage: 1 }, "stream_options.include_usage"],
];

describe.each(ROWS)("%s", (field, good, bad) => {
  test.each(good.map((value) => [JSON.stringify(value), value]))("takes %s", (_, value) => {
    expect(errorOf({ ...minimal, [field]: value })).toBeUndefined();
  });

  const inside = INNER.filter(([name]) => name === field).map(([, value, param]) => [value, param] as const);
  test.each([...bad.map((value) => [value, field] as const), ...inside])("refuses %j and names %s", (value, param) => {
    const error = errorOf({ ...minimal, [field]: value });
    expect(error).toMatchObject({ status: 400, details: { param } });
    expect(error?.message).toContain(param);
    expect(error?.message).toContain("expected");
  });
});

test.each(["model", "messages"])("says that %s is missing", (field) => {
  const error = errorOf({ ...minimal, [field]: undefined });
  expect(error).toMatchObject({ code: "missing_required_parameter", details: { param: field } });
});

test("lets unknown fields through at every level and hands back what came", () => {
  const body = JSON.parse(
    '{"z_last":1,"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a","x":{"y":1}}],"q":2}],' +
      '"__proto__":{"polluted":true},"enable_thinking":true,"stream_options":{"continuous_usage_stats":true},"stream":true}',
  ) as unknown;
  const before = JSON.stringify(body);
  const checked = validate(chatRequestSchema, body);
  expect(checked).toBe(body);
  expect(JSON.stringify(checked)).toBe(before);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test.each([[null], [[]], ["text"], [5], [true]])("refuses %j as a body", (body) => {
  expect(errorOf(body)).toMatchObject({ code: "invalid_body", status: 400 });
});
