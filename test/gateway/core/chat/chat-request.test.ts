import { describe, expect, test } from "vitest";
import { chatRequestSchema } from "../../../../gateway/contract/chat.ts";
import { validate } from "../../../../gateway/core/validation.ts";
import { errorOf, minimal } from "./chat-request-fixture.ts";

/** Each row of the specification's table: what it takes, and what it refuses by the field's name. */
const ROWS: readonly (readonly [field: string, good: readonly unknown[], bad: readonly unknown[]])[] = [
  ["model", ["gpt-5.4", "openrouter/deepseek/deepseek-chat"], ["", 5, null, {}, []]],
  ["messages", [[{ role: "user", content: "x" }]], [[], "hi", null, 5, {}]],
  ["stream", [true, false, null], ["true", 1, [], {}]],
  ["temperature", [0, 2, 0.7, null], [-0.01, 2.01, "1", true, [], {}]],
  ["max_tokens", [1, 100_000, null], [0, -1, 1.5, "5", true, [], {}]],
  ["top_p", [0, 1, null], [-0.1, 1.1, [], "1", true, {}]],
  [
    "tools",
    [[], [{ type: "function", function: { name: "f" } }], [{ type: "custom", custom: { name: "c" } }], null],
    [{}, "text", 5, true],
  ],
  ["tool_choice", ["auto", "none", "f", { type: "function", function: { name: "f" } }, null], [5, ["auto"], true, []]],
  [
    "response_format",
    [{ type: "json_object" }, { type: "json_schema", json_schema: { name: "a" } }, null],
    ["json", 5, true],
  ],
  ["stop", ["END", ["a", "b"], [], null], [5, {}, true]],
  ["n", [1, 128, null], [0, 129, 1.5, "1", true, [], {}]],
  ["seed", [0, -7, 2 ** 64, null], [0.5, "1", true, [], {}]],
  ["frequency_penalty", [-2, 2, null], [-2.1, 2.1, "0", [], {}]],
  ["presence_penalty", [-2, 2, null], [-2.1, 2.1, true, "0", [], {}]],
  ["logit_bias", [{}, { "50256": -100, "1": 100 }, null], [[], "text", 5]],
  ["parallel_tool_calls", [true, false, null], ["yes", 1, [], {}]],
  ["logprobs", [true, false, null], [1, "true", [], {}]],
  ["top_logprobs", [0, 20, null], [21, -1, "2", 0.5, true, [], {}]],
  ["max_completion_tokens", [1, null], [0, "1", 1.5, true, [], {}]],
  ["reasoning_effort", ["low", "whatever", null], [1, {}, true, []]],
  ["verbosity", ["low", "medium", "high", null], ["max", 1, "extreme", true]],
  ["modalities", [["text", "audio"], null], ["text", 5, true, {}]],
  ["audio", [{ voice: "alloy", format: "wav" }, { voice: { id: "v" } }, null], ["alloy", 5, true]],
  ["prediction", [{ type: "content", content: "x" }, null], ["x", 5, true]],
  ["stream_options", [{}, { include_usage: true, include_obfuscation: false }, null], [true, "text", 5]],
  ["store", [true, null], ["true", 1, [], {}]],
  ["metadata", [{ a: "b" }, {}, null], [[], "a", 5, true]],
  ["user", ["u", null], [1, true, [], {}]],
  ["prompt_cache_key", ["k", null], [1, true, [], {}]],
  ["prompt_cache_retention", ["24h", "in_memory", null], [24]],
];

/** What is refused by the name of a field further inside. */
const INNER: readonly (readonly [field: string, value: unknown, param: string])[] = [
  ...["text", 5, null, []].map((item) => ["messages", [item], "messages[0]"] as const),
  ...["text", 5, null].map((item) => ["tools", [item], "tools[0]"] as const),
  ["tools", [{}], "tools[0].type"],
  ["tools", [{ type: 5 }], "tools[0].type"],
  ...[undefined, 5, ""].map(
    (name) => ["tools", [{ type: "function", function: { name } }], "tools[0].function.name"] as const,
  ),
  ["tools", [{ type: "function", function: { name: "f", parameters: "none" } }], "tools[0].function.parameters"],
  ...[undefined, 5].map((type) => ["response_format", { type }, "response_format.type"] as const),
  ["stop", [5], "stop[0]"],
  ...["x", 101, -101, true].map((bias) => ["logit_bias", { "1": bias }, "logit_bias.1"] as const),
  ["modalities", [1], "modalities[0]"],
  ...["true", 1, [], {}].map(
    (flag) => ["stream_options", { include_usage: flag }, "stream_options.include_usage"] as const,
  ),
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
    expect(error?.message).toMatch(/expected|Missing/);
    expect(error?.message.length).toBeLessThan(500);
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
