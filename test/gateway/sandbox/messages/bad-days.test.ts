import { describe, expect, it } from "vitest";
import { requests, useMessages } from "./running.ts";

const running = useMessages();

interface ErrorBody {
  readonly type: string;
  readonly error: { readonly type: string; readonly message: string };
  readonly request_id: string;
}
const bodyOf = async (response: Response): Promise<ErrorBody> => (await response.json()) as ErrorBody;

describe("a key", () => {
  const headers = (more: object) => ({ "anthropic-version": "2023-06-01", ...more });
  it("is taken as x-api-key or as a bearer", async () => {
    for (const given of [{ "x-api-key": running.key }, { authorization: `Bearer ${running.key}` }]) {
      const response = await running.send({ messages: requests("x") }, "/v1/messages?beta=true", headers(given));
      expect(response.status).toBe(200);
    }
  });

  it.each([{}, { "x-api-key": "sk-other" }, { authorization: "Bearer sk-other" }])("%j is refused", async (given) => {
    const response = await running.send({ messages: requests("x") }, "/v1/messages", headers(given));
    expect([response.status, (await bodyOf(response)).error.type]).toEqual([401, "authentication_error"]);
  });
});

describe("a bad request is refused in Anthropic's words", () => {
  it.each<[fields: Readonly<Record<string, unknown>>, message: string]>([
    [{ stop_sequences: [" "] }, "stop_sequences: each stop sequence must contain non-whitespace"],
    [
      { tools: [{ name: "f", input_schema: {} }], tool_choice: { type: "tool", name: "g" } },
      "tool_choice: Tool 'g' not found in provided tools",
    ],
    [
      { thinking: { type: "enabled", budget_tokens: 500 } },
      "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
    ],
    [
      { max_tokens: 1_024, thinking: { type: "enabled", budget_tokens: 1_024 } },
      "max_tokens: `max_tokens` must be greater than `thinking.budget_tokens`",
    ],
    [{ output_config: { format: { type: "xml" } } }, "output_config.format.type: Input should be 'json_schema'"],
  ])("%j", async (fields, message) => {
    const response = await running.send({ messages: requests("x"), ...fields });
    expect(response.status).toBe(400);
    expect((await bodyOf(response)).error).toEqual({ type: "invalid_request_error", message });
  });
});

it("a prompt that is too long is reported so in Anthropic's words", async () => {
  const response = await running.send({ messages: requests("x ".repeat(60_000)) });
  const { error } = await bodyOf(response);
  expect([response.status, error]).toEqual([
    400,
    {
      type: "invalid_request_error",
      message: expect.stringMatching(/^prompt is too long: \d+ tokens > 50000 maximum$/),
    },
  ]);
});

it.each(["/v1/messages", "/v1/messages/count_tokens"])("a model that is not there is a 404: %s", async (path) => {
  const response = await running.send({ model: "claude-9", messages: requests("x") }, path);
  expect([response.status, (await bodyOf(response)).error.type]).toEqual([404, "not_found_error"]);
});

it("lets through what Claude Code sends, known here or not", async () => {
  const response = await running.send(
    {
      system: [{ type: "text", text: "x-anthropic-billing-header: cc_version=1;" }],
      messages: [
        { role: "user", content: [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }] },
        { role: "system", content: [{ type: "text", text: "rule" }], output_config: { effort: "high" } },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm", signature: "c2ln" },
            { type: "redacted_thinking", data: "x" },
            { type: "tool_use", id: "toolu_1", name: "ToolSearch", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "toolu_1",
              content: [{ type: "tool_reference", tool_name: "mcp__gw__echo" }],
            },
          ],
        },
        { role: "system", content: "later" },
      ],
      tools: [
        { name: "Read", input_schema: { $schema: "x", type: "object" }, defer_loading: true },
        { type: "web_search_20250305", name: "web_search", max_uses: 8 },
      ],
      thinking: { type: "adaptive", display: "omitted" },
      context_management: { edits: [] },
      output_config: { effort: "high" },
      metadata: { user_id: "{}" },
    },
    "/v1/messages?beta=true",
  );
  const message = (await response.json()) as { content: readonly { text?: string }[] };
  expect(response.status).toBe(200);
  expect(message.content.at(-1)?.text).toContain("The result of ToolSearch is: Tool found: mcp__gw__echo");
});
