import { describe, expect, it } from "vitest";
import { chatToResponses } from "../../../../gateway/codecs/chat-to-responses/translate.ts";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { chatRequestSchema } from "../../../../gateway/contract/chat.ts";
import { responsesRequestSchema } from "../../../../gateway/contract/responses.ts";
import { validate } from "../../../../gateway/core/validation.ts";
import { HI, contextFor, refusalOf } from "../support/translating.ts";

const MODEL = "gpt-5.6-terra";

function sent(body: Document): Document {
  const checked = validate(chatRequestSchema, { model: MODEL, messages: HI, ...body });
  const request = chatToResponses(checked, contextFor(MODEL)).body;
  expect(responsesRequestSchema.safeParse(request).error?.issues).toBeUndefined();
  return request;
}
const items = (...messages: readonly Document[]): unknown => sent({ messages })["input"];
const call = (id: string, name = "look"): Document => ({ id, type: "function", function: { name, arguments: "{}" } });
const encrypted = (data: string, index: number, format = "openai-responses-v1"): Document => ({
  type: "reasoning.encrypted",
  id: `rs_${data}`,
  data,
  format,
  index,
});

it("stores nothing, and asks for reasoning that can be brought along", () => {
  expect(sent({})).toEqual({
    model: MODEL,
    input: [{ type: "message", role: "user", content: "Hi" }],
    store: false,
    include: ["reasoning.encrypted_content"],
    reasoning: { summary: "auto" },
  });
});

describe("messages", () => {
  it("instructions stay in their places, those without a word are left out", () => {
    const instructions = [
      { role: "system", content: "Be brief." },
      { role: "developer", content: "" },
      ...HI,
      { role: "system", content: [{ type: "text", text: "Be briefer." }] },
    ];
    expect(items(...instructions)).toEqual([
      { type: "message", role: "developer", content: "Be brief." },
      { type: "message", role: "user", content: "Hi" },
      { type: "message", role: "developer", content: [{ type: "input_text", text: "Be briefer." }] },
    ]);
  });

  it("images and files", () => {
    const content = [
      { type: "text", text: "See:" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } },
      { type: "image_url", image_url: "https://example.com/a.png" },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" } },
      { type: "file", file: { file_data: "https://example.com/a.pdf" } },
      { type: "file", file: { file_id: "file-1" } },
    ];
    const parts = [
      { type: "input_text", text: "See:" },
      { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "low" },
      { type: "input_image", image_url: "https://example.com/a.png", detail: "auto" },
      { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" },
      { type: "input_file", file_url: "https://example.com/a.pdf" },
      { type: "input_file", file_id: "file-1" },
    ];
    expect(items({ role: "user", content })).toEqual([{ type: "message", role: "user", content: parts }]);
    const tool = { role: "tool", tool_call_id: "c1", content };
    expect(items(...HI, { role: "assistant", tool_calls: [call("c1")] }, tool)).toContainEqual({
      type: "function_call_output",
      call_id: "c1",
      output: parts,
    });
  });

  it("calls follow what was said, reasoning comes before both", () => {
    const assistant = {
      role: "assistant",
      content: "I look.",
      reasoning_content: "Where is it?",
      reasoning_details: [
        { type: "reasoning.summary", summary: "Where is it?", id: "rs_a", format: "openai-responses-v1", index: 0 },
        encrypted("a", 0),
        encrypted("b", 1),
      ],
      tool_calls: [call("c1"), call("c2", "ask")],
    };
    expect(items(...HI, assistant, { role: "tool", tool_call_id: "c2", content: "Yes." })).toEqual([
      { type: "message", role: "user", content: "Hi" },
      {
        type: "reasoning",
        id: "rs_a",
        summary: [{ type: "summary_text", text: "Where is it?" }],
        encrypted_content: "a",
      },
      { type: "reasoning", id: "rs_b", summary: [], encrypted_content: "b" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
      { type: "function_call", call_id: "c1", name: "look", arguments: "{}" },
      { type: "function_call", call_id: "c2", name: "ask", arguments: "{}" },
      { type: "function_call_output", call_id: "c2", output: "Yes." },
    ]);
  });

  it.each([
    ["in words alone", { reasoning_content: "Hm." }],
    ["encrypted by another", { reasoning_details: [encrypted("a", 0, "anthropic-claude-v1")] }],
    [
      "a summary alone",
      { reasoning_details: [{ type: "reasoning.summary", summary: "Hm.", format: "openai-responses-v1" }] },
    ],
    ["signed by Anthropic", { thinking_blocks: [{ type: "thinking", thinking: "Hm.", signature: "Eq" }] }],
  ])("what OpenAI would not take as its reasoning is left out: %s", (_, thought) => {
    expect(items(...HI, { role: "assistant", content: "Yes.", ...thought }, ...HI)).toHaveLength(3);
  });

  it("reasoning from which nothing followed is left out: OpenAI refuses it alone", () => {
    expect(items(...HI, { role: "assistant", content: "", reasoning_details: [encrypted("a", 0)] })).toHaveLength(1);
  });

  it("a refusal, and a custom tool's call with its result", () => {
    const custom = { id: "c1", type: "custom", custom: { name: "patch", input: "*** Begin" } };
    const messages = [
      ...HI,
      { role: "assistant", content: null, refusal: "No." },
      { role: "assistant", content: null, tool_calls: [custom] },
      { role: "tool", tool_call_id: "c1", content: "Done." },
    ];
    expect((items(...messages) as readonly Document[]).slice(1)).toEqual([
      { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
      { type: "custom_tool_call", call_id: "c1", name: "patch", input: "*** Begin" },
      { type: "custom_tool_call_output", call_id: "c1", output: "Done." },
    ]);
  });
});

describe("tools", () => {
  const parameters = { type: "object", properties: { path: { type: "string" } } };
  const tool = { type: "function", function: { name: "look", parameters } };
  const flat = { type: "function", name: "look", parameters, strict: false };
  const fields = (body: Document): Document => {
    const { tools, tool_choice, parallel_tool_calls } = sent({ tools: [tool], ...body });
    return { tools, tool_choice, parallel_tool_calls };
  };

  it("are flat, and strict only where the client says so", () => {
    const strict = { type: "function", function: { name: "ask", description: "Asks.", parameters, strict: true } };
    const bare = { type: "function", function: { name: "wait" } };
    const grammar = { type: "grammar", grammar: { syntax: "lark", definition: "start: /.+/" } };
    const custom = { type: "custom", custom: { name: "patch", description: "Patches.", format: grammar } };
    expect(fields({ tools: [tool, strict, bare, custom] })["tools"]).toEqual([
      flat,
      { type: "function", name: "ask", description: "Asks.", parameters, strict: true },
      { type: "function", name: "wait", parameters: { type: "object", properties: {} }, strict: false },
      {
        type: "custom",
        name: "patch",
        description: "Patches.",
        format: { type: "grammar", syntax: "lark", definition: "start: /.+/" },
      },
    ]);
  });

  it.each([
    ["auto", "auto"],
    ["none", "none"],
    ["required", "required"],
    ["any", "required"],
    [
      { type: "function", function: { name: "look" } },
      { type: "function", name: "look" },
    ],
    [
      { type: "custom", custom: { name: "patch" } },
      { type: "custom", name: "patch" },
    ],
    [
      {
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "look" } }] },
      },
      { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "look" }] },
    ],
  ])("the choice %j is %j", (tool_choice, expected) => {
    expect(fields({ tool_choice, parallel_tool_calls: false })).toEqual({
      tools: [flat],
      tool_choice: expected,
      parallel_tool_calls: false,
    });
  });

  it("in another dialect's form are tools too", () => {
    const given = [
      { type: "function", name: "look", parameters },
      { name: "ask", description: "Asks.", input_schema: parameters },
    ];
    const body = { model: MODEL, messages: HI, tools: given, tool_choice: { type: "function", name: "look" } };
    expect(chatToResponses(body, contextFor(MODEL)).body).toMatchObject({
      tools: [flat, { type: "function", name: "ask", description: "Asks.", parameters, strict: false }],
      tool_choice: { type: "function", name: "look" },
    });
  });

  it("a search of the web is a tool", () => {
    const place = { type: "approximate", approximate: { country: "DE", city: "Ulm" } };
    expect(fields({ web_search_options: { search_context_size: "low", user_location: place } })["tools"]).toEqual([
      flat,
      {
        type: "web_search",
        search_context_size: "low",
        user_location: { type: "approximate", country: "DE", city: "Ulm" },
      },
    ]);
  });
});

describe("other fields", () => {
  it("pass under their names here", () => {
    const shared = {
      user: "u",
      prompt_cache_key: "k",
      metadata: { a: "b" },
      service_tier: "flex",
      safety_identifier: "s",
      temperature: 1,
    };
    const schema = { type: "object", properties: {} };
    const request = sent({
      ...shared,
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 500,
      max_completion_tokens: 400,
      reasoning_effort: "high",
      verbosity: "low",
      response_format: { type: "json_schema", json_schema: { name: "n", description: "d", schema, strict: true } },
      stop: ["x"],
      seed: 1,
      logit_bias: { "1": 1 },
      frequency_penalty: 1,
      prediction: { type: "content", content: "x" },
      store: true,
    });
    expect(request).toEqual({
      ...sent({}),
      ...shared,
      stream: true,
      max_output_tokens: 400,
      reasoning: { effort: "high", summary: "auto" },
      text: { format: { type: "json_schema", name: "n", description: "d", schema, strict: true }, verbosity: "low" },
    });
  });

  it("JSON without a schema; the least bound; no reasoning, which has no summary", () => {
    const request = sent({ response_format: { type: "json_object" }, max_tokens: 1, reasoning_effort: "none" });
    expect(request).toMatchObject({ text: { format: { type: "json_object" } }, max_output_tokens: 16 });
    expect(request["reasoning"]).toEqual({ effort: "none" });
  });

  it.each([
    ["n", { n: 2 }],
    ["functions", { functions: [{ name: "look" }] }],
    ["modalities", { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } }],
    [
      "messages[0].content[0]",
      { messages: [{ role: "user", content: [{ type: "input_audio", input_audio: { data: "AA", format: "wav" } }] }] },
    ],
  ])("what cannot be said is refused: %s", (param, body) => {
    const error = refusalOf(() => chatToResponses({ model: MODEL, messages: HI, ...body }, contextFor(MODEL)));
    expect(error).toMatchObject({ status: 400, code: "unsupported_value", details: { param } });
  });
});
