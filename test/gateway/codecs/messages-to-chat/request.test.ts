import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { applyChatRules } from "../../../../gateway/core/chat/chat-rules.ts";
import { chatRequestSchema } from "../../../../gateway/contract/chat.ts";
import { validate } from "../../../../gateway/core/validation.ts";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import { chatBodyOf, HI, UNKNOWN_MODEL } from "../support/translating.ts";
import {
  functionCall,
  modelTurn,
  systemTurn,
  textBlock,
  thinkingBlock,
  toolTurn,
  toolUse,
  userTurn,
} from "../support/blocks.ts";

const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const WEATHER = { name: "get_weather", description: "The weather", input_schema: SCHEMA };
const WEB_SEARCH = { type: "web_search_20250305", name: "web_search", max_uses: 8 };

it("translates Anthropic's request field by field", () => {
  const body = {
    model: "gpt-5.4",
    max_tokens: 1024,
    system: [{ type: "text", text: "You are…", cache_control: { type: "ephemeral", ttl: "5m" } }],
    messages: [
      userTurn("Hi"),
      modelTurn([thinkingBlock("…", "Eq…"), textBlock("Wait"), toolUse("toolu_01A", "get_weather", { city: "Paris" })]),
      userTurn([{ type: "tool_result", tool_use_id: "toolu_01A", content: [textBlock("15C")], is_error: false }]),
    ],
    tools: [WEATHER],
    tool_choice: { type: "auto", disable_parallel_tool_use: false },
    thinking: { type: "enabled", budget_tokens: 2048 },
    stop_sequences: ["END"],
    temperature: 1,
    top_p: 0.9,
    top_k: 40,
    metadata: { user_id: "opaque" },
    service_tier: "auto",
    stream: true,
  };
  expect(chatBodyOf(body, "deepseek-v4-pro")).toEqual({
    model: "deepseek-v4-pro",
    max_tokens: 1024,
    messages: [
      systemTurn("You are…"),
      userTurn("Hi"),
      {
        role: "assistant",
        content: "Wait",
        reasoning_content: "…",
        tool_calls: [functionCall("toolu_01A", "get_weather", '{"city":"Paris"}')],
      },
      toolTurn("toolu_01A", "15C"),
    ],
    stream: true,
    stream_options: { include_usage: true },
    temperature: 1,
    stop: ["END"],
    tools: [{ type: "function", function: { name: "get_weather", description: "The weather", parameters: SCHEMA } }],
    tool_choice: "auto",
    user: "opaque",
    reasoning_effort: "medium",
  });
});

describe("captured requests of Claude Code", () => {
  const captured = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../../fixtures/agents/claude-code.json"), "utf8"),
  ) as readonly { readonly body: Document }[];

  it.each([
    [0, "gpt-5.4"],
    [1, "gpt-5.4"],
    [0, UNKNOWN_MODEL],
    [1, UNKNOWN_MODEL],
  ])("request %i is a valid chat request for %s, without a trace of Anthropic", (index, model) => {
    const given = captured[index]?.body ?? {};
    const body = chatBodyOf({ ...given, model }, model);
    expect(() => applyChatRules(validate(chatRequestSchema, body), findModel(model) ?? null)).not.toThrow();
    const text = JSON.stringify(body);
    for (const word of [
      "billing-header",
      "cache_control",
      "context_management",
      "defer_loading",
      "device_id",
      "output_config",
    ]) {
      expect(text).not.toContain(word);
    }
    expect(body["tools"]).toHaveLength((given["tools"] as readonly unknown[]).length);
    expect(body["stream_options"]).toEqual({ include_usage: true });
    expect(body["max_tokens"]).toBe(Math.min(128_000, findModel(model)?.maxOutput ?? Infinity));
  });

  it("keep their effort where the model takes it, and ask nothing of a model that may not think", () => {
    const given = captured[0]?.body ?? {};
    expect(chatBodyOf(given, "gpt-5.4")["reasoning_effort"]).toBe("medium");
    expect(chatBodyOf(given, "gpt-4o")["reasoning_effort"]).toBeUndefined();
    expect(chatBodyOf(given)["reasoning_effort"]).toBeUndefined();
  });
});

describe("max_tokens", () => {
  it.each([
    [1, UNKNOWN_MODEL, 1],
    [0, UNKNOWN_MODEL, 1],
    [1_000_000, UNKNOWN_MODEL, 1_000_000],
    [1_000_000, "gpt-4o", 16_384],
  ])("%i for %s goes out as %i", (given, model, sent) => {
    expect(chatBodyOf({ max_tokens: given }, model)["max_tokens"]).toBe(sent);
  });
});

describe("single fields", () => {
  it.each<[string, Document, Document]>([
    ["top_p alone", { top_p: 0.5 }, { top_p: 0.5 }],
    ["temperature before top_p", { temperature: 0, top_p: 0.5 }, { temperature: 0, top_p: undefined }],
    ["top_k dropped", { top_k: 5 }, { top_k: undefined }],
    ["stop sequences, without empty ones", { stop_sequences: ["a", ""] }, { stop: ["a"] }],
    ["no stop sequences", { stop_sequences: [] }, { stop: undefined }],
    ["no stream", { stream: false }, { stream: undefined, stream_options: undefined }],
    ["a short user id", { metadata: { user_id: "u".repeat(64) } }, { user: "u".repeat(64) }],
    ["a user id that is too long for other providers", { metadata: { user_id: "u".repeat(65) } }, { user: undefined }],
    [
      "fields of Anthropic's alone",
      { context_management: {}, mcp_servers: [], container: "c", service_tier: "auto" },
      { context_management: undefined, mcp_servers: undefined, container: undefined, service_tier: undefined },
    ],
  ])("%s", (_, given, sent) => {
    expect(chatBodyOf(given)).toEqual({ model: UNKNOWN_MODEL, max_tokens: 100, messages: HI, ...sent });
  });

  it("says what was thought in earlier turns, of which each server gets what it takes", () => {
    const messages = [...HI, modelTurn([thinkingBlock("hm", ""), textBlock("A")]), ...HI];
    expect(JSON.stringify(chatBodyOf({ messages }, "deepseek-v4-pro"))).toContain('"reasoning_content":"hm"');
  });
});

describe("tools", () => {
  const toolsOf = (tools: readonly unknown[], choice: unknown = null): Document =>
    chatBodyOf({ tools, tool_choice: choice });
  const parametersOf = (schema: unknown): unknown => {
    const [tool] = toolsOf([{ name: "t", input_schema: schema }])["tools"] as readonly {
      readonly function: Document;
    }[];
    return tool?.function["parameters"];
  };

  it("become functions without what only Anthropic knows", () => {
    const extras = {
      type: "custom",
      strict: true,
      cache_control: {},
      defer_loading: true,
      eager_input_streaming: true,
    };
    expect(toolsOf([{ ...WEATHER, ...extras }])["tools"]).toEqual([
      { type: "function", function: { name: "get_weather", description: "The weather", parameters: SCHEMA } },
    ]);
  });

  it.each<[string, unknown, unknown]>([
    ["a schema stays as it is", { $schema: "x", ...SCHEMA }, { $schema: "x", ...SCHEMA }],
    ["an empty one is an object", {}, { type: "object", properties: {} }],
    ["properties are there", { type: "object" }, { type: "object", properties: {} }],
    ["the type is there", { properties: { a: {} } }, { type: "object", properties: { a: {} } }],
  ])("%s", (_, schema, parameters) => {
    expect(parametersOf(schema)).toEqual(parameters);
  });

  it("that Anthropic runs are dropped, and with the last one the choice", () => {
    expect(toolsOf([WEB_SEARCH, WEATHER], { type: "auto" })["tools"]).toHaveLength(1);
    const without = toolsOf([WEB_SEARCH], { type: "auto", disable_parallel_tool_use: true });
    for (const field of ["tools", "tool_choice", "parallel_tool_calls"]) expect(without).not.toHaveProperty(field);
  });

  it.each<[unknown, unknown, unknown]>([
    [{ type: "auto" }, "auto", undefined],
    [{ type: "any" }, "required", undefined],
    [{ type: "none" }, "none", undefined],
    [{ type: "tool", name: "get_weather" }, { type: "function", function: { name: "get_weather" } }, undefined],
    [{ type: "tool", name: "web_search" }, "auto", undefined],
    [{ type: "any", disable_parallel_tool_use: true }, "required", false],
    [{ type: "auto", disable_parallel_tool_use: false }, "auto", undefined],
    [null, undefined, undefined],
  ])("choice %j is %j", (choice, mapped, parallel) => {
    const body = toolsOf([WEATHER, WEB_SEARCH], choice);
    expect(body["tool_choice"]).toEqual(mapped);
    expect(body["parallel_tool_calls"]).toBe(parallel);
  });
});

describe("reasoning_effort", () => {
  it.each<[string, Document, unknown]>([
    // Accepted: none to xhigh.
    ["gpt-5.4", { thinking: { type: "adaptive" } }, "high"],
    ["gpt-5.4", { thinking: { type: "adaptive" }, output_config: { effort: "low" } }, "low"],
    ["gpt-5.4", { output_config: { effort: "max" } }, "xhigh"],
    ["gpt-5.4", { thinking: { type: "disabled" } }, "none"],
    ["gpt-5.4", { thinking: { type: "enabled", budget_tokens: 0 } }, "none"],
    ["gpt-5.4", { thinking: { type: "enabled", budget_tokens: 512 } }, "none"],
    ["gpt-5.4", { thinking: { type: "enabled", budget_tokens: 1024 } }, "low"],
    ["gpt-5.4", { thinking: { type: "enabled", budget_tokens: 8192 } }, "medium"],
    ["gpt-5.4", { thinking: { type: "enabled", budget_tokens: 24_576 } }, "high"],
    ["gpt-5.4", { thinking: { type: "enabled", budget_tokens: 31_999 } }, "xhigh"],
    ["gpt-5.4", { thinking: { type: "enabled", budget_tokens: -1 } }, undefined],
    ["gpt-5.4", { output_config: { effort: "colossal" } }, undefined],
    ["gpt-5.4", {}, undefined],
    // Accepted: minimal to high.
    ["gpt-5", { thinking: { type: "disabled" } }, "minimal"],
    ["gpt-5", { output_config: { effort: "max" } }, "high"],
    ["gpt-4o", { thinking: { type: "adaptive" }, output_config: { effort: "high" } }, undefined],
    ["gpt-4o", { thinking: { type: "disabled" } }, undefined],
    // Values not known: the server's row says what becomes of it.
    ["deepseek-v4-pro", { thinking: { type: "adaptive" } }, "high"],
    ["deepseek-v4-pro", { thinking: { type: "disabled" }, output_config: { effort: "high" } }, "none"],
    // Not in the catalog: only what someone chose.
    [UNKNOWN_MODEL, { thinking: { type: "adaptive" }, output_config: { effort: "high" } }, undefined],
    [UNKNOWN_MODEL, { thinking: { type: "adaptive" }, output_config: { effort: "low" } }, "low"],
    [UNKNOWN_MODEL, { output_config: { effort: "max" } }, "high"],
    [UNKNOWN_MODEL, { thinking: { type: "disabled" } }, "none"],
  ])("%s %j: %s", (model, fields, effort) => {
    const body = chatBodyOf(fields, model);
    expect(body["reasoning_effort"]).toBe(effort);
    expect(() => applyChatRules(body, findModel(model) ?? null)).not.toThrow();
  });
});

describe("structured output", () => {
  const formatOf = (fields: Document): unknown => chatBodyOf(fields)["response_format"];
  const closed = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };

  it.each<[string, Document, boolean]>([
    ["a closed schema is strict", closed, true],
    ["an open one is not", SCHEMA, false],
    ["nor is one with an optional field", { ...closed, required: [] }, false],
    [
      "nor is one with an open object inside",
      { ...closed, properties: { a: { type: "array", items: { type: "object" } } } },
      false,
    ],
  ])("%s", (_, schema, strict) => {
    expect(formatOf({ output_config: { format: { type: "json_schema", schema } } })).toEqual({
      type: "json_schema",
      json_schema: { name: "answer", schema, ...(strict ? { strict } : {}) },
    });
  });

  it("is understood in the beta's field too, and left out without a schema", () => {
    expect(formatOf({ output_format: { type: "json_schema", schema: closed } })).toMatchObject({ type: "json_schema" });
    expect(formatOf({ output_config: { format: { type: "json_schema" } } })).toBeUndefined();
  });
});
