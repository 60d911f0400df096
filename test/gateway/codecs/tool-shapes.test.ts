import { expect, it } from "vitest";
import type { Document } from "../../../gateway/codecs/translation.ts";
import { translated } from "./responses-to-chat/translated.ts";
import { chatBodyOf, claudeBodyOf } from "./support/translating.ts";

const schema = { type: "object", properties: { a: { type: "number" } } };
const described = { name: "f", description: "Does f." };

/** One tool, in each form in which clients and libraries write it; a dialect's own check may ask for a type or a schema. */
const SHAPES: readonly (readonly [string, Document])[] = [
  ["chat's", { type: "function", function: { ...described, parameters: schema } }],
  ["Responses'", { type: "function", ...described, parameters: schema }],
  ["Anthropic's", { ...described, input_schema: schema }],
  ["Anthropic's with a type", { type: "custom", ...described, input_schema: schema }],
  ["chat's with Anthropic's schema", { type: "function", function: { ...described, input_schema: schema } }],
  ["flat, without a type", { ...described, parameters: schema }],
];
const messages = [{ role: "user", content: "Hi" }];
const chatTool = { type: "function", function: { ...described, parameters: schema } };
const claudeTool = { ...described, input_schema: schema };

it.each(SHAPES)("a tool in the form of %s reaches a provider of another dialect from each", (_form, tool) => {
  const isTyped = tool["type"] !== undefined;
  if (isTyped || tool["input_schema"] !== undefined)
    expect(chatBodyOf({ messages, tools: [tool] })["tools"]).toEqual([chatTool]);
  expect(translated({ input: "Hi", tools: [tool] }).body["tools"]).toEqual([chatTool]);
  if (isTyped) expect(claudeBodyOf({ messages, tools: [tool] }, "claude-sonnet-5")["tools"]).toEqual([claudeTool]);
});

it.each([
  ["without parameters", { type: "function", function: { name: "f" } }],
  ["with parameters that are null", { type: "function", function: { name: "f", parameters: null } }],
])("a tool %s takes none", (_which, tool) => {
  const none = { type: "object", properties: {} };
  expect(chatBodyOf({ messages, tools: [tool] })["tools"]).toEqual([
    { type: "function", function: { name: "f", parameters: none } },
  ]);
  expect(claudeBodyOf({ messages, tools: [tool] }, "claude-sonnet-5")["tools"]).toEqual([
    { name: "f", input_schema: none },
  ]);
});

it("a choice at the top of a schema is words at Anthropic, which refuses it there", () => {
  const forms = [
    { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
  ];
  const parameters = { anyOf: forms, description: "Where it is." };
  const [tool] = claudeBodyOf(
    { messages, tools: [{ type: "function", function: { name: "f", parameters } }] },
    "claude-sonnet-5",
  )["tools"] as readonly { readonly input_schema: Document }[];
  expect(tool?.input_schema).toEqual({
    type: "object",
    properties: { path: { type: "string" }, url: { type: "string" } },
    description: `Where it is.\n\nanyOf: ${JSON.stringify(forms)}`,
  });
});
