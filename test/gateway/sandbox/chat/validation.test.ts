import { describe, expect, it } from "vitest";
import { asked, errorOf, useSandbox } from "../running-sandbox.ts";

const messages = asked("hi");
const tools = [{ type: "function", function: { name: "f" } }];

describe("what the sandbox refuses, as the provider would", () => {
  const running = useSandbox();
  const send = async (body: object): Promise<Response> =>
    running.send("/v1/chat/completions", { model: "plain-model", messages, ...body });

  it.each<[string, object, string | null, string | null]>([
    ["no model", { model: undefined }, "model", "missing_required_parameter"],
    ["a model that is a number", { model: 7 }, "model", "invalid_type"],
    ["no messages", { messages: undefined }, "messages", "missing_required_parameter"],
    ["no message", { messages: [] }, "messages", "empty_array"],
    ["messages that are text", { messages: "hi" }, "messages", "invalid_type"],
    ["a message that is text", { messages: ["hi"] }, "messages[0]", "invalid_type"],
    ["a message without a role", { messages: [{ content: "hi" }] }, "messages[0].role", "missing_required_parameter"],
    ["an unknown role", { messages: [{ role: "robot", content: "hi" }] }, "messages[0].role", "invalid_value"],
    ["content that is a number", { messages: [{ role: "user", content: 7 }] }, "messages[0].content", "invalid_type"],
    [
      "an image without its place",
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: {} }] }] },
      "messages[0].content[0].image_url.url",
      "missing_required_parameter",
    ],
    [
      "a block without a type",
      { messages: [{ role: "user", content: [{}] }] },
      "messages[0].content[0].type",
      "missing_required_parameter",
    ],
    [
      "a tool's answer to nothing",
      { messages: [{ role: "tool", content: "x" }] },
      "messages[0].tool_call_id",
      "missing_required_parameter",
    ],
    ["n of 0", { n: 0 }, "n", "integer_below_min_value"],
    ["n of 129", { n: 129 }, "n", "integer_above_max_value"],
    ["n of 1.5", { n: 1.5 }, "n", "invalid_type"],
    ["a temperature of 2.1", { temperature: 2.1 }, "temperature", "decimal_above_max_value"],
    ["a temperature of hot", { temperature: "hot" }, "temperature", "invalid_type"],
    ["five stops", { stop: ["a", "b", "c", "d", "e"] }, "stop", "array_above_max_length"],
    ["a stop that is a number", { stop: [1] }, "stop", "invalid_type"],
    ["max_tokens of 0", { max_tokens: 0 }, "max_tokens", "integer_below_min_value"],
    ["top_logprobs alone", { top_logprobs: 2 }, "top_logprobs", "invalid_value"],
    ["top_logprobs of 21", { logprobs: true, top_logprobs: 21 }, "top_logprobs", "integer_above_max_value"],
    ["stream_options alone", { stream_options: { include_usage: true } }, "stream_options", "invalid_value"],
    ["a stream that is text", { stream: "yes" }, "stream", "invalid_type"],
    ["an unknown format", { response_format: { type: "xml" } }, "response_format.type", "invalid_value"],
    [
      "a schema without a name",
      { response_format: { type: "json_schema", json_schema: { schema: {} } } },
      "response_format.json_schema.name",
      "missing_required_parameter",
    ],
    ["tools that are no list", { tools: {} }, "tools", "invalid_type"],
    [
      "a tool without a name",
      { tools: [{ type: "function", function: {} }] },
      "tools[0].function.name",
      "missing_required_parameter",
    ],
    ["an unknown choice", { tools, tool_choice: "any" }, "tool_choice", "invalid_value"],
    [
      "a choice of a tool that is not there",
      { tools, tool_choice: { type: "function", function: { name: "g" } } },
      "tool_choice",
      null,
    ],
  ])("refuses %s", async (_case, body, param, code) => {
    const response = await send(body);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toEqual({
      message: expect.any(String),
      type: "invalid_request_error",
      param,
      code,
    });
  });

  it.each([
    ["no-such-model", "model_not_found"],
    ["image-model", null],
  ])("has no chat for %s", async (model, code) => {
    const response = await send({ model });
    expect(response.status).toBe(404);
    expect(await response.json()).toHaveProperty("error.code", code);
  });

  it("ignores what it does not know, and nulls", async () => {
    const unknown = {
      thinking: { type: "enabled" },
      metadata: { a: "b" },
      tools: [{ type: "web_search" }],
      tool_choice: "auto",
    };
    const nulls = {
      stop: null,
      n: null,
      max_tokens: null,
      response_format: null,
      seed: null,
      logprobs: null,
      stream: null,
    };
    expect((await send({ ...unknown, ...nulls })).status).toBe(200);
  });
});
