import { describe, expect, it } from "vitest";
import { closedSchema } from "../../../../gateway/codecs/chat-to-messages/closed-schema.ts";
import { chatToMessages } from "../../../../gateway/codecs/chat-to-messages/translate.ts";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { assembledCompletion } from "../support/assembled.ts";
import { answered, claudeBodyOf, streamed } from "../support/translating.ts";

const NEW = "claude-opus-5-5";
const OLD = "claude-haiku-4-5";
const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const FORMAT = {
  type: "json_schema",
  json_schema: { name: "place", description: "A place", schema: SCHEMA, strict: true },
};
const TOOL = { type: "function", function: { name: "answer_json", parameters: SCHEMA } };

it("of newer models is their own format, with closed objects", () => {
  expect(claudeBodyOf({ response_format: FORMAT, reasoning_effort: "low" }, NEW)["output_config"]).toEqual({
    effort: "low",
    format: { type: "json_schema", schema: { ...SCHEMA, additionalProperties: false } },
  });
});

describe("of earlier models is a tool that has to be called", () => {
  const toolsOf = (body: Document): Document => {
    const { tools, tool_choice, output_config } = claudeBodyOf({ response_format: FORMAT, ...body }, OLD);
    expect(output_config).toBeUndefined();
    return { tools, tool_choice };
  };
  const outputTool = { name: "answer_json", description: "A place", input_schema: SCHEMA };

  it("alone", () => {
    expect(toolsOf({})).toEqual({
      tools: [outputTool],
      tool_choice: { type: "tool", name: "answer_json", disable_parallel_tool_use: true },
    });
  });

  it("next to the client's own, under another name", () => {
    expect(toolsOf({ tools: [TOOL] })).toEqual({
      tools: [
        { name: "answer_json", input_schema: SCHEMA },
        { ...outputTool, name: "answer_json_" },
      ],
      tool_choice: { type: "any" },
    });
  });

  it("instead of the client's own where it wants no call", () => {
    expect(toolsOf({ tools: [TOOL], tool_choice: "none" })["tool_choice"]).toEqual({
      type: "tool",
      name: "answer_json_",
      disable_parallel_tool_use: true,
    });
  });

  it("but not where the client forces one of its own", () => {
    expect(toolsOf({ tools: [TOOL], tool_choice: "required" })).toEqual({
      tools: [{ name: "answer_json", input_schema: SCHEMA }],
      tool_choice: { type: "any" },
    });
  });

  const request = { response_format: FORMAT };
  const toolUse = { type: "tool_use", id: "toolu_1", name: "answer_json", input: { city: "Paris" } };

  it("whose input is the content of the response", () => {
    const response = {
      type: "message",
      content: [toolUse],
      stop_reason: "tool_use",
      usage: { input_tokens: 1, output_tokens: 2 },
    };
    expect(answered(chatToMessages, response, request, OLD)).toMatchObject({
      choices: [{ message: { role: "assistant", content: '{"city":"Paris"}' }, finish_reason: "stop" }],
    });
  });

  it("whose input is the content of the stream", () => {
    const json = (piece: string): Document => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: piece },
    });
    const events = [
      { type: "message_start", message: { usage: { input_tokens: 1, output_tokens: 0 } } },
      { type: "content_block_start", index: 0, content_block: { ...toolUse, input: {} } },
      json('{"city":'),
      json('"Paris"}'),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 2 } },
      { type: "message_stop" },
    ];
    expect(assembledCompletion(streamed(chatToMessages, events, request, OLD))).toMatchObject({
      message: { role: "assistant", content: '{"city":"Paris"}' },
      finish_reason: "stop",
    });
  });
});

it.each([NEW, OLD])("json_object is an instruction for %s, after the client's own", (model) => {
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hi" },
  ];
  const { system } = claudeBodyOf({ messages, response_format: { type: "json_object" } }, model);
  expect(system).toMatchObject([{ text: "Be brief." }, { text: expect.stringContaining("one JSON object") as string }]);
});

it("text is nothing special", () => {
  expect(claudeBodyOf({ response_format: { type: "text" } }, NEW)).not.toHaveProperty("output_config");
});

describe("a schema for Anthropic", () => {
  it.each<[string, Document, Document]>([
    [
      "is closed at every level, and its fields may have any name",
      {
        type: "object",
        properties: { properties: { type: "object", properties: { minimum: { type: "number" } } } },
        additionalProperties: true,
      },
      {
        type: "object",
        properties: {
          properties: { type: "object", properties: { minimum: { type: "number" } }, additionalProperties: false },
        },
        additionalProperties: false,
      },
    ],
    [
      "tells limits in words",
      { type: "integer", description: "Age", minimum: 0, maximum: 150 },
      { type: "integer", description: "Age\n\n{minimum: 0, maximum: 150}" },
    ],
    [
      "keeps the least items that Anthropic knows",
      { type: "array", items: { type: "string" }, minItems: 1 },
      { type: "array", items: { type: "string" }, minItems: 1 },
    ],
    [
      "tells other least items in words",
      { type: "array", items: {}, minItems: 3 },
      { type: "array", items: {}, description: "{minItems: 3}" },
    ],
    [
      "keeps values, definitions and alternatives",
      {
        $defs: { a: { type: "object" } },
        anyOf: [{ $ref: "#/$defs/a" }, { enum: [{ type: "object" }, 1] }],
        default: { minimum: 1 },
      },
      {
        $defs: { a: { type: "object", additionalProperties: false } },
        anyOf: [{ $ref: "#/$defs/a" }, { enum: [{ type: "object" }, 1] }],
        default: { minimum: 1 },
      },
    ],
  ])("%s", (_, schema, expected) => {
    expect(closedSchema(schema)).toEqual(expected);
  });
});
