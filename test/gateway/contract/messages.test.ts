import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { countTokensRequestSchema, messagesRequestSchema } from "../../../gateway/contract/messages.ts";
import { validate } from "../../../gateway/core/validation.ts";
import type { GatewayError } from "../../../gateway/core/errors.ts";

type Fields = Readonly<Record<string, unknown>>;

const base: Fields = { model: "m", max_tokens: 10, messages: [{ role: "user", content: "Hi" }] };

function problem(fields: Fields): { readonly param: string | undefined; readonly message: string } | null {
  try {
    validate(messagesRequestSchema, { ...base, ...fields });
    return null;
  } catch (error) {
    const { message, details } = error as GatewayError;
    return { param: details.param, message };
  }
}

const asUser = (...content: readonly unknown[]): Fields => ({ messages: [{ role: "user", content }] });
const asResult = (content: unknown): Fields => asUser({ type: "tool_result", tool_use_id: "toolu_1", content });

describe("what real clients send passes", () => {
  const captured = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../fixtures/agents/claude-code.json"), "utf8"),
  ) as readonly { readonly body: Fields }[];

  it.each(captured.map(({ body }, index) => [index, body] as const))(
    "captured request %i of Claude Code",
    (_, body) => {
      expect(validate(messagesRequestSchema, body)).toBe(body);
      expect(validate(countTokensRequestSchema, body)).toBe(body);
    },
  );

  it.each<[string, Fields]>([
    [
      "a system message with an effort of its own",
      { messages: [{ role: "system", content: "x", output_config: { effort: "low" } }] },
    ],
    [
      "a system message of blocks",
      { messages: [{ role: "system", content: [{ type: "text", text: "x", cache_control: null }] }] },
    ],
    ["adaptive thinking", { thinking: { type: "adaptive", display: "omitted" } }],
    ["thinking with a budget", { thinking: { type: "enabled", budget_tokens: 31_999 } }],
    ["context management", { context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] } }],
    ["a tool that Anthropic runs", { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 8 }] }],
    ["a set of MCP tools, which has no name", { tools: [{ type: "mcp_toolset", mcp_server_name: "s" }] }],
    [
      "a deferred tool",
      { tools: [{ name: "t", input_schema: { $schema: "x", type: "object" }, defer_loading: true }] },
    ],
    ["a schema without a type", { tools: [{ name: "t", input_schema: {} }] }],
    ["a tool reference", asResult([{ type: "tool_reference", tool_name: "mcp__gw__echo" }])],
    [
      "an image in a tool result",
      asResult([{ type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } }]),
    ],
    ["a tool result without content", asResult(undefined)],
    [
      "a search result",
      asUser({ type: "search_result", source: "https://x", title: "t", content: [{ type: "text", text: "x" }] }),
    ],
    ["a document of text", asUser({ type: "document", source: { type: "text", media_type: "text/plain", data: "x" } })],
    ["a block of a type to come", asUser({ type: "hologram", depth: 3 })],
    [
      "a tool call without input",
      { messages: [{ role: "assistant", content: [{ type: "tool_use", id: "a", name: "b" }] }] },
    ],
    ["user data as a JSON text", { metadata: { user_id: '{"device_id":"0"}', extra: 1 } }],
    ["no answer, to fill the cache", { max_tokens: 0 }],
    ["a choice that forbids calls side by side", { tool_choice: { type: "any", disable_parallel_tool_use: true } }],
    ["a choice of a type to come", { tool_choice: { type: "some" } }],
    [
      "structured output",
      { output_config: { effort: "max", format: { type: "json_schema", schema: { type: "object" } } } },
    ],
    ["fields that are not known", { speed: "fast", inference_geo: "eu", fallbacks: [1], stream: null, system: null }],
  ])("%s", (_, fields) => {
    expect(problem(fields)).toBeNull();
  });
});

it("wants no limit for a count of tokens", () => {
  const body = { model: "m", messages: [{ role: "user", content: "foo" }] };
  expect(validate(countTokensRequestSchema, body)).toBe(body);
});

describe("what no one could make sense of is refused by its name", () => {
  it.each<[string, Fields, string]>([
    ["model", { model: "" }, "expected the id of a model"],
    ["messages", { messages: [] }, "expected an array with at least one item"],
    [
      "messages[0].role",
      { messages: [{ role: "tool", content: "x" }] },
      'expected one of "user", "assistant", "system"',
    ],
    ["messages[0].content", { messages: [{ role: "user" }] }, "expected a string or an array"],
    ["messages[0].content[0].text", asUser({ type: "text" }), `because the block's type is "text"`],
    ["messages[0].content[0].source", asUser({ type: "image" }), `because the block's type is "image"`],
    ["messages[0].content[0].tool_use_id", asUser({ type: "tool_result" }), "expected a value"],
    [
      "messages[0].content[0].content[1].source",
      asResult([{ type: "text", text: "x" }, { type: "image" }]),
      "expected a value",
    ],
    ["messages[0].content[0].content", asResult(7), "expected a string or an array"],
    ["max_tokens", { max_tokens: undefined }, "Missing required parameter"],
    ["max_tokens", { max_tokens: -1 }, "expected a whole number of at least 0"],
    ["max_tokens", { max_tokens: 1.5 }, "expected a whole number"],
    ["temperature", { temperature: 1.1 }, "expected a number from 0 to 1"],
    ["top_p", { top_p: -0.1 }, "expected a number from 0 to 1"],
    ["top_k", { top_k: 0.5 }, "expected a whole number"],
    ["stop_sequences", { stop_sequences: "END" }, "expected an array"],
    ["stream", { stream: "yes" }, "expected a boolean"],
    ["tools[0].name", { tools: [{ input_schema: {} }] }, "expected the tool's name"],
    ["tools[0].input_schema", { tools: [{ name: "t" }] }, "expected a JSON schema"],
    ["tool_choice.name", { tool_choice: { type: "tool" } }, "expected the name of one of the tools"],
    ["system[0].text", { system: [{ type: "text" }] }, "expected a value"],
    ["thinking.type", { thinking: {} }, "expected a string"],
  ])("%s", (param, fields, words) => {
    const found = problem(fields);
    expect(found?.param).toBe(param);
    expect(found?.message).toContain(words);
  });
});
