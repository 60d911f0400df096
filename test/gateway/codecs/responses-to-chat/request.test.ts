import { describe, expect, it } from "vitest";
import { responsesToChat } from "../../../../gateway/codecs/responses-to-chat/translate.ts";
import { responsesRequestSchema } from "../../../../gateway/contract/responses.ts";
import type { ModelSpec } from "../../../../gateway/core/models/model.ts";
import { validate } from "../../../../gateway/core/validation.ts";
import { contextOf, fixture, refusalOf, translated } from "./translated.ts";

describe("golden requests", () => {
  it.each(["codex-turn", "ai-sdk-structured"])("%s is accepted and says the same in chat", (name) => {
    const body = fixture(`${name}.json`);
    validate(responsesRequestSchema, body);
    expect(responsesToChat(body, contextOf()).body).toEqual(fixture(`${name}.chat.json`));
  });

  it("changes nothing of the body it was given", () => {
    const body = fixture("codex-turn.json");
    responsesToChat(body, contextOf());
    expect(body).toEqual(fixture("codex-turn.json"));
  });
});

const SPEC: ModelSpec = {
  id: "m",
  owner: "xai",
  displayName: "M",
  aliases: [],
  capabilities: ["chat"],
  contextLength: null,
  maxOutput: null,
  price: null,
  created: 1,
};
const reasoningModel = (...efforts: readonly string[]): ModelSpec => ({
  ...SPEC,
  reasoning: { efforts, dropsSampling: false },
});

describe("reasoning.effort", () => {
  it.each<[asked: string, model: ModelSpec | null, sent: unknown]>([
    ["high", null, "high"],
    ["high", SPEC, undefined],
    ["high", reasoningModel(), "high"],
    ["high", reasoningModel("low", "high"), "high"],
    ["xhigh", reasoningModel("low", "medium", "high"), "high"],
    ["minimal", reasoningModel("low", "high"), "low"],
    ["none", reasoningModel("low", "high"), "low"],
    ["max", reasoningModel("none", "low"), "low"],
    ["turbo", reasoningModel("low", "high"), undefined],
    ["low", reasoningModel("fast", "slow"), undefined],
  ])("%s", (effort, model, sent) => {
    expect(translated({ reasoning: { effort } }, { model }).body["reasoning_effort"]).toBe(sent);
  });
});

describe("text.format", () => {
  it("leaves plain text unsaid, and says JSON", () => {
    expect(translated({ text: { format: { type: "text" } } }).body["response_format"]).toBeUndefined();
    expect(translated({ text: { format: { type: "json_object" } } }).body["response_format"]).toEqual({
      type: "json_object",
    });
  });

  it("gives a schema without a name one, because chat wants it", () => {
    const format = { type: "json_schema", schema: { type: "object" } };
    expect(translated({ text: { format } }).body["response_format"]).toEqual({
      type: "json_schema",
      json_schema: { name: "response", schema: { type: "object" } },
    });
  });
});

it("leaves out what only concerns OpenAI, and what is null", () => {
  const body = {
    store: true,
    service_tier: "flex",
    safety_identifier: "s",
    truncation: "auto",
    metadata: { a: "b" },
    max_tool_calls: 3,
    stream_options: { include_obfuscation: false },
    client_metadata: { a: 1 },
    temperature: null,
    stream: false,
    background: false,
    previous_response_id: null,
  };
  expect(translated(body).body).toEqual({ model: "m", messages: [{ role: "user", content: "hi" }] });
});

describe("what would need a store is refused in words", () => {
  it.each([
    ["previous_response_id", "resp_123", /resp_123.*is not known here: .*Send the whole conversation in 'input'/],
    ["conversation", { id: "conv_1" }, /nothing is stored here/],
    ["prompt", { id: "pmpt_1" }, /nothing is stored here/],
  ])("%s", (field, value, message) => {
    const error = refusalOf({ [field]: value });
    expect(error).toMatchObject({ code: "invalid_value", status: 400, details: { param: field } });
    expect(error.message).toMatch(message);
  });

  it("a reference to an item", () => {
    const error = refusalOf({ input: [{ type: "item_reference", id: "msg_9" }] });
    expect(error).toMatchObject({ status: 400, details: { param: "input[0]" } });
    expect(error.message).toContain('"msg_9"');
  });

  it("a file that lies at OpenAI", () => {
    const content = [
      { type: "input_text", text: "see" },
      { type: "input_image", file_id: "file-1" },
    ];
    const error = refusalOf({ input: [{ role: "user", content }] });
    expect(error).toMatchObject({
      code: "unsupported_value",
      details: { param: "input[0].content[1].file_id" },
    });
    expect(error.message).toContain("'image_url'");
  });

  it("an input that holds nothing for another provider", () => {
    expect(refusalOf({ input: [{ type: "compaction", encrypted_content: "x" }] })).toMatchObject({
      status: 400,
      details: { param: "input" },
    });
  });
});
