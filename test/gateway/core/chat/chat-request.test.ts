import { describe, expect, test } from "vitest";
import { chatRequestSchema } from "../../../../gateway/contract/chat.ts";
import { validate } from "../../../../gateway/core/validation.ts";
import { errorOf, minimal } from "./chat-request-fixture.ts";

/** Each row of the specification's table: what it takes, what it refuses, and the field that the refusal names. */
type Row = readonly [
  field: string,
  good: readonly unknown[],
  bad: readonly (readonly [value: unknown, param: string])[],
];
const ROWS: readonly Row[] = [
  [
    "model",
    ["gpt-5.4", "openrouter/deepseek/deepseek-chat"],
    [
      ["", "model"],
      [5, "model"],
      [null, "model"],
      [{}, "model"],
    ],
  ],
  [
    "messages",
    [[{ role: "user", content: "x" }]],
    [
      [[], "messages"],
      ["hi", "messages"],
      [null, "messages"],
      [[5], "messages[0]"],
    ],
  ],
  [
    "stream",
    [true, false, null],
    [
      ["true", "stream"],
      [1, "stream"],
    ],
  ],
  [
    "temperature",
    [0, 2, 0.7, null],
    [
      [-0.01, "temperature"],
      [2.01, "temperature"],
      ["1", "temperature"],
    ],
  ],
  [
    "max_tokens",
    [1, 100_000, null],
    [
      [0, "max_tokens"],
      [-1, "max_tokens"],
      [1.5, "max_tokens"],
      ["5", "max_tokens"],
    ],
  ],
  [
    "top_p",
    [0, 1, null],
    [
      [-0.1, "top_p"],
      [1.1, "top_p"],
      [[], "top_p"],
    ],
  ],
  [
    "tools",
    [[], [{ type: "function", function: { name: "f" } }], [{ type: "custom", custom: { name: "c" } }]],
    [
      [{}, "tools"],
      [["f"], "tools[0]"],
      [[{}], "tools[0].type"],
      [[{ type: "function", function: {} }], "tools[0].function.name"],
      [[{ type: "function", function: { name: "f", parameters: "none" } }], "tools[0].function.parameters"],
    ],
  ],
  [
    "tool_choice",
    ["auto", "none", "f", { type: "function", function: { name: "f" } }],
    [
      [5, "tool_choice"],
      [["auto"], "tool_choice"],
    ],
  ],
  [
    "response_format",
    [{ type: "json_object" }, { type: "json_schema", json_schema: { name: "a" } }],
    [
      ["json", "response_format"],
      [{}, "response_format.type"],
    ],
  ],
  [
    "stop",
    ["END", ["a", "b"], [], null],
    [
      [5, "stop"],
      [[5], "stop[0]"],
      [{}, "stop"],
    ],
  ],
  [
    "n",
    [1, 128, null],
    [
      [0, "n"],
      [129, "n"],
      [1.5, "n"],
    ],
  ],
  [
    "seed",
    [0, -7, 2 ** 64, null],
    [
      [0.5, "seed"],
      ["1", "seed"],
    ],
  ],
  [
    "frequency_penalty",
    [-2, 2],
    [
      [-2.1, "frequency_penalty"],
      [2.1, "frequency_penalty"],
      ["0", "frequency_penalty"],
    ],
  ],
  [
    "presence_penalty",
    [-2, 2],
    [
      [-2.1, "presence_penalty"],
      [2.1, "presence_penalty"],
      [true, "presence_penalty"],
    ],
  ],
  [
    "logit_bias",
    [{}, { "50256": -100 }],
    [
      [[], "logit_bias"],
      [{ "1": "x" }, "logit_bias.1"],
      [{ "1": 101 }, "logit_bias.1"],
    ],
  ],
  ["parallel_tool_calls", [true, false], [["yes", "parallel_tool_calls"]]],
  ["logprobs", [true, false], [[1, "logprobs"]]],
  [
    "top_logprobs",
    [0, 20],
    [
      [21, "top_logprobs"],
      [-1, "top_logprobs"],
      ["2", "top_logprobs"],
    ],
  ],
  [
    "max_completion_tokens",
    [1],
    [
      [0, "max_completion_tokens"],
      ["1", "max_completion_tokens"],
    ],
  ],
  [
    "reasoning_effort",
    ["low", "whatever"],
    [
      [1, "reasoning_effort"],
      [{}, "reasoning_effort"],
    ],
  ],
  [
    "verbosity",
    ["low", "medium", "high"],
    [
      ["max", "verbosity"],
      [1, "verbosity"],
    ],
  ],
  [
    "modalities",
    [["text", "audio"]],
    [
      ["text", "modalities"],
      [[1], "modalities[0]"],
    ],
  ],
  ["audio", [{ voice: "alloy", format: "wav" }, { voice: { id: "v" } }], [["alloy", "audio"]]],
  ["prediction", [{ type: "content", content: "x" }], [["x", "prediction"]]],
  [
    "stream_options",
    [{}, { include_usage: true, include_obfuscation: false }],
    [
      [true, "stream_options"],
      [{ include_usage: 1 }, "stream_options.include_usage"],
    ],
  ],
  ["store", [true], [["true", "store"]]],
  [
    "metadata",
    [{ a: "b" }, {}],
    [
      [[], "metadata"],
      ["a", "metadata"],
    ],
  ],
  ["user", ["u"], [[1, "user"]]],
  ["prompt_cache_key", ["k"], [[1, "prompt_cache_key"]]],
  ["prompt_cache_retention", ["24h", "in_memory"], [[24, "prompt_cache_retention"]]],
];

describe.each(ROWS)("%s", (field, good, bad) => {
  test.each(good.map((value) => [JSON.stringify(value), value]))("takes %s", (_, value) => {
    expect(errorOf({ ...minimal, [field]: value })).toBeUndefined();
  });

  test.each(bad.map(([value, param]) => [JSON.stringify(value), value, param] as const))(
    "refuses %s and names %s",
    (_, value, param) => {
      const error = errorOf({ ...minimal, [field]: value });
      expect(error?.status).toBe(400);
      expect(error?.details.param).toBe(param);
      expect(error?.message).toContain(param);
      expect(error?.message).toContain("expected");
    },
  );
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
