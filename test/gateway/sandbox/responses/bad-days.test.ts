import { describe, expect, it } from "vitest";
import { errorOf } from "../running-sandbox.ts";
import { useResponses } from "./running.ts";

const running = useResponses();

describe("a request", () => {
  it("that continues a stored response is refused, as is a prompt that is too long", async () => {
    for (const fields of [{ input: "x", previous_response_id: "resp_1" }, { input: "x ".repeat(60_000) }]) {
      const response = await running.send(fields);
      expect([response.status, (await errorOf(response)).type]).toEqual([400, "invalid_request_error"]);
    }
  });

  it.each([
    [{ model: "thinking-model", reasoning: { effort: "turbo" } }, "reasoning.effort"],
    [{ text: { format: { type: "yaml" } } }, "text.format.type"],
  ])("that a translation would put right is refused: %j", async (fields, param) => {
    const response = await running.send({ input: "x", ...fields });
    expect([response.status, (await errorOf(response)).param]).toEqual([400, param]);
  });

  it.each(["no-such-model", "image-model"])("the model %s is not there", async (model) => {
    const response = await running.send({ model, input: "x" });
    expect(response.status).toBe(404);
  });

  it("fields and items that it does not know are let through", async () => {
    const input = [
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: null },
      { type: "item_reference", id: "msg_1" },
      { type: "message", id: "msg_2", role: "user", content: [{ type: "input_text", text: "x" }] },
    ];
    const tools = [{ type: "web_search", external_web_access: true }];
    expect((await running.send({ input, tools, client_metadata: { a: 1 } })).status).toBe(200);
  });
});
