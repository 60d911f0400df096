import { describe, expect, it } from "vitest";
import { framesOf } from "../frames.ts";
import { errorOf } from "../running-sandbox.ts";
import { useResponses } from "./running.ts";

const running = useResponses();

describe("what a prompt can ask for", () => {
  it.each([429, 500, 503, 529])("an error of status %d", async (status) => {
    for (const stream of [true, false]) {
      const response = await running.send({ input: `sandbox:error=${status}`, stream });
      expect(response.status).toBe(status);
      expect((await errorOf(response)).message).toContain(String(status));
    }
  });

  it("a slow response", async () => {
    const start = performance.now();
    await (await running.send({ input: "sandbox:slow=200", stream: true })).text();
    await (await running.send({ input: "sandbox:slow=200" })).text();
    expect(performance.now() - start).toBeGreaterThanOrEqual(390);
  });

  it("a connection that breaks, after the first words or before a response", async () => {
    const response = await running.send({ input: "sandbox:cut", stream: true });
    let seen = "";
    await expect(
      (async () => {
        for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) seen += Buffer.from(piece);
      })(),
    ).rejects.toThrow("terminated");
    expect(framesOf(seen).at(-1)).toMatchObject({ event: "response.output_text.delta" });
    await expect(running.send({ input: "sandbox:cut" })).rejects.toThrow("fetch failed");
  });
});

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
