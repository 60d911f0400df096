import { describe, expect, it } from "vitest";
import { requests, errorOf, useSandbox } from "../running-sandbox.ts";

const tools = [{ type: "function", function: { name: "f" } }];
const other = { type: "function", function: { name: "g" } };

describe("what the gateway leaves to providers to refuse", () => {
  const running = useSandbox();

  it.each<[string, object, string]>([
    ["five stops", { stop: ["a", "b", "c", "d", "e"] }, "stop"],
    ["an unknown format", { response_format: { type: "xml" } }, "response_format.type"],
    [
      "a schema without a name",
      { response_format: { type: "json_schema", json_schema: { schema: {} } } },
      "response_format.json_schema.name",
    ],
    ["a tool without a name", { tools: [{ type: "function", function: {} }] }, "tools[0].function.name"],
    ["a free-text tool without a name", { tools: [...tools, { type: "custom" }] }, "tools[1].custom.name"],
    ["the choice of a tool that is not there", { tools, tool_choice: other }, "tool_choice"],
    [
      "an allowed tool that is not there",
      { tools, tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [other] } } },
      "tool_choice",
    ],
    [
      "sound without data",
      { messages: [{ role: "user", content: [{ type: "input_audio", input_audio: {} }] }] },
      "input_audio.data",
    ],
  ])("is refused: %s", async (_case, body, param) => {
    const response = await running.send("/v1/chat/completions", {
      model: "plain-model",
      messages: requests("hi"),
      ...body,
    });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ param, type: "invalid_request_error" });
  });
});
