import { describe, expect, it } from "vitest";
import { chat } from "../../../../gateway/providers/xai/chat.ts";
import { bodyOf, dialectCall } from "../dialect-call.ts";

const MESSAGES = [{ role: "user", content: "Hi" }];
const SAMPLING = { presence_penalty: 0.5, frequency_penalty: 0.5, stop: ["END"] };
const EFFORT = { reasoning_effort: "low" };
const KEPT = { temperature: 0.5, top_p: 0.9, max_tokens: 5, search_parameters: { mode: "off" } };

/** docs/providers/xai.md#chat */
describe("what a model refuses is left out", () => {
  it.each([
    ["grok-4.6", EFFORT],
    ["grok-4.5", EFFORT],
    ["grok-4.3", EFFORT],
    ["grok-4.20-reasoning", {}],
    ["grok-4-1-fast-reasoning", {}],
    ["grok-4", {}],
    ["grok-code-fast-1", {}],
    ["grok-4.20-non-reasoning", SAMPLING],
    ["grok-4-1-fast-non-reasoning", SAMPLING],
    // Known from the provider's list alone: by its name, or not at all.
    ["grok-4-fast-reasoning-latest", SAMPLING],
    ["grok-4.20-multi-agent-0309", { ...SAMPLING, ...EFFORT }],
    ["grok-9", { ...SAMPLING, ...EFFORT }],
  ])("%s gets %j", (model, left) => {
    const call = dialectCall({ model, messages: MESSAGES, ...SAMPLING, ...EFFORT, ...KEPT });
    expect(bodyOf(chat.toRequest(call, "k"))).toEqual({ model, messages: MESSAGES, ...KEPT, ...left });
  });
});

it("sends the client's own bytes where it asks for nothing of that", () => {
  const call = dialectCall({ model: "grok-4", messages: MESSAGES, ...KEPT });
  const wire = chat.toRequest(call, "xai-key");
  expect(wire).toMatchObject({ method: "POST", path: "/chat/completions" });
  expect(wire.headers["authorization"]).toBe("Bearer xai-key");
  expect(wire.body).toBe(call.raw);
});
