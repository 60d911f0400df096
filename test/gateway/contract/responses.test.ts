import { describe, expect, it } from "vitest";
import { responsesRequestSchema } from "../../../gateway/contract/responses.ts";
import { GatewayError } from "../../../gateway/core/errors.ts";
import { validate } from "../../../gateway/core/validation.ts";

function errorOf(fields: Readonly<Record<string, unknown>>): GatewayError | null {
  try {
    validate(responsesRequestSchema, { model: "m", input: "hi", ...fields });
    return null;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

const ofUser = (...content: readonly unknown[]) => [{ role: "user", content }];

/** Each field: what it takes, what it refuses, and the field that the refusal names. */
type Row = readonly [
  field: string,
  good: readonly unknown[],
  bad: readonly (readonly [value: unknown, param: string])[],
];
const ROWS: readonly Row[] = [
  [
    "model",
    ["gpt-5.4"],
    [
      ["", "model"],
      [5, "model"],
      [null, "model"],
    ],
  ],
  [
    "input",
    [
      "",
      ofUser(),
      [{ role: "user", content: "x" }],
      [{ type: "message", role: "developer", content: [{ type: "input_text", text: "x" }] }],
      ofUser({ type: "input_image", image_url: "data:image/png;base64,AA==", detail: "original" }),
      ofUser({ type: "input_image", file_id: "file-1", image_url: null }),
      ofUser({ type: "input_file", file_url: "https://x/y.pdf" }),
      ofUser({ type: "part_of_next_year", anything: 1 }),
      [{ type: "item_of_next_year", output: { any: "shape" }, content: 5 }],
      [{ type: "function_call", call_id: "1", name: "f", arguments: "{}", id: null, status: null }],
      [{ type: "function_call", call_id: "1", name: "f", arguments: "{}", namespace: "mcp__gw" }],
      [{ type: "function_call_output", call_id: "1", output: "x" }],
      [{ type: "function_call_output", call_id: "1", output: [{ type: "input_text", text: "x" }] }],
      [{ type: "custom_tool_call", call_id: "1", name: "f", input: "" }],
      [{ type: "reasoning", id: "rs_1", summary: [], content: null, encrypted_content: null }],
      [{ type: "item_reference", id: "msg_1" }],
      [{ type: "tool_search_call", call_id: null, execution: "server", arguments: { query: "x" } }],
    ],
    [
      [undefined, "input"],
      [null, "input"],
      [5, "input"],
      [[], "input"],
      [["x"], "input[0]"],
      [[{ role: "tool", content: "x" }], "input[0].role"],
      [[{ content: "x" }], "input[0].role"],
      [[{ role: "user" }], "input[0].content"],
      [[{ role: "user", content: 5 }], "input[0].content"],
      [ofUser("x"), "input[0].content[0]"],
      [ofUser({ text: "x" }), "input[0].content[0].type"],
      [ofUser({ type: "input_text" }), "input[0].content[0].text"],
      [ofUser({ type: "input_text", text: 5 }), "input[0].content[0].text"],
      [ofUser({ type: "input_image" }), "input[0].content[0].image_url"],
      [ofUser({ type: "input_file", filename: "x" }), "input[0].content[0].file_data"],
      [[{ type: "function_call", call_id: "1", name: "f", arguments: {} }], "input[0].arguments"],
      [[{ type: "function_call", name: "f", arguments: "{}" }], "input[0].call_id"],
      [[{ type: "function_call", call_id: "1", name: "", arguments: "{}" }], "input[0].name"],
      [[{ type: "function_call_output", call_id: "1", output: {} }], "input[0].output"],
      [[{ type: "function_call_output", output: "x" }], "input[0].call_id"],
      [[{ type: "custom_tool_call", call_id: "1", name: "f" }], "input[0].input"],
      [[{ type: "item_reference" }], "input[0].id"],
    ],
  ],
  ["instructions", ["x", null, [{ role: "developer", content: "x" }]], [[5, "instructions"]]],
  ["stream", [true, false, null], [["true", "stream"]]],
  ["background", [false, null], [[true, "background"]]],
  [
    "tools",
    [
      null,
      [],
      [{ type: "function", name: "f", parameters: null, strict: null }],
      [{ type: "web_search", external_web_access: true }],
      [{ type: "custom", name: "apply_patch", format: { type: "grammar" } }],
      [{ type: "namespace", name: "mcp__gw", tools: [{ type: "function", name: "echo" }] }],
      [{ type: "tool_of_next_year" }],
    ],
    [
      ["f", "tools"],
      [[5], "tools[0]"],
      [[{ name: "f" }], "tools[0].type"],
      [[{ type: "function" }], "tools[0].name"],
      [[{ type: "function", function: { name: "f" } }], "tools[0].name"],
      [[{ type: "function", name: "f", parameters: "x" }], "tools[0].parameters"],
      [[{ type: "namespace", name: "n" }], "tools[0].tools"],
      [[{ type: "namespace", name: "n", tools: [{ type: "function" }] }], "tools[0].tools[0].name"],
    ],
  ],
  ["tool_choice", ["auto", { type: "function", name: "f" }, null], [[5, "tool_choice"]]],
  ["parallel_tool_calls", [true, null], [["yes", "parallel_tool_calls"]]],
  [
    "max_output_tokens",
    [1, 100_000, null],
    [
      [0, "max_output_tokens"],
      [1.5, "max_output_tokens"],
      ["5", "max_output_tokens"],
    ],
  ],
  [
    "temperature",
    [0, 2, null],
    [
      [-0.1, "temperature"],
      [2.1, "temperature"],
    ],
  ],
  ["top_p", [0, 1, null], [[1.1, "top_p"]]],
  ["top_logprobs", [0, 20, null], [[21, "top_logprobs"]]],
  [
    "reasoning",
    [{ effort: "high", summary: "auto" }, { effort: null, context: 1 }, null],
    [[{ effort: 1 }, "reasoning.effort"]],
  ],
  [
    "text",
    [
      { format: { type: "text" } },
      { verbosity: "low" },
      { format: { type: "json_schema", name: "x", schema: {} } },
      null,
    ],
    [
      [{ verbosity: "loud" }, "text.verbosity"],
      [{ format: { type: "json_schema", name: "x" } }, "text.format.schema"],
      [{ format: "json" }, "text.format"],
    ],
  ],
  ["include", [["reasoning.encrypted_content"], null], [["x", "include"]]],
  ["metadata", [{ a: "b" }, null], [["x", "metadata"]]],
  ["client_metadata", [{ a: { b: [1] } }, "x", 5], []],
];

describe.each(ROWS)("%s", (field, good, bad) => {
  it("takes what is right", () => {
    for (const value of good) expect(errorOf({ [field]: value })?.message).toBeUndefined();
  });
  if (bad.length === 0) return;
  it("refuses what is wrong, by name", () => {
    for (const [value, param] of bad) {
      const error = errorOf({ [field]: value });
      expect([value, error?.details.param]).toEqual([value, param]);
      expect(error?.status).toBe(400);
      expect(error?.message).toContain("expected");
    }
  });
});

it("wants an input, unless a prompt that is stored at OpenAI brings one", () => {
  expect(errorOf({ input: undefined, prompt: { id: "pmpt_1" } })).toBeNull();
});
