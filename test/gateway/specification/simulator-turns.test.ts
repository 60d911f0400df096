import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PIXEL_BASE64 } from "../../support/image-acts.ts";
import { KEY } from "../../support/running-gateway.ts";
import { arkChat, chatSimulator, dashscopeChat, geminiChat, xaiChat } from "./simulators/chat-providers.ts";
import { Simulated } from "./simulators/simulated.ts";
import { CLIENT_HEADERS } from "./simulators/strict.ts";

/** Conversations with everything that agents put into them, translated for providers that take their documents' fields alone. */

const simulated = new Simulated();
beforeAll(() => simulated.start());
beforeEach(() => {
  chatSimulator(simulated.providers.dashscope, simulated.deviations, dashscopeChat);
  chatSimulator(simulated.providers.gemini, simulated.deviations, geminiChat);
  chatSimulator(simulated.providers.ark, simulated.deviations, arkChat);
  chatSimulator(simulated.providers.xai, simulated.deviations, xaiChat);
});
afterEach(() => expect(simulated.deviations.splice(0).join("\n")).toBe(""));
afterAll(() => simulated.close());

const base64 = { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL_BASE64 } };
const ofUrl = { type: "image", source: { type: "url", url: "https://example.com/a.png" } };
const text = (words: string) => ({ type: "text", text: words, cache_control: { type: "ephemeral" } });
const use = (id: string) => ({ type: "tool_use", id, name: "look", input: { at: "sky" } });

/** Name, messages of Anthropic's dialect. */
const TURNS: readonly (readonly [string, readonly object[]])[] = [
  ["pictures as data and as addresses", [{ role: "user", content: [text("Look."), base64, ofUrl] }]],
  [
    "thinking, text and two calls in one turn, results in the other order",
    [
      { role: "user", content: "Look." },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "c2ln" },
          { type: "redacted_thinking", data: "AAAA" },
          { type: "text", text: "I look." },
          use("toolu_1"),
          use("toolu_2"),
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_2", content: "Blue." },
          { type: "tool_result", tool_use_id: "toolu_1", is_error: true, content: [text("No sky.")] },
          text("Go on."),
        ],
      },
    ],
  ],
  [
    "a picture as the result of a tool, beside an empty result",
    [
      { role: "user", content: "Look." },
      { role: "assistant", content: [use("toolu_1"), use("toolu_2")] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_1", content: [base64, text("A picture.")] },
          { type: "tool_result", tool_use_id: "toolu_2" },
        ],
      },
    ],
  ],
  [
    "system entries between messages, and turns of one role in a row",
    [
      { role: "user", content: "One." },
      { role: "system", content: "Mind the gap." },
      { role: "user", content: [text("Two.")] },
      { role: "assistant", content: "Three." },
      { role: "assistant", content: [{ type: "text", text: "Four." }] },
      { role: "user", content: "Five." },
    ],
  ],
];
const MODELS = ["qwen-plus", "gemini-2.5-flash", "gemini-3-pro-preview", "doubao-seed-1-6", "grok-4.3"];

describe.each(MODELS)("%s", (model) => {
  it.each(TURNS)("messages: %s", async (_name, messages) => {
    const tools = [{ name: "look", description: "Looks.", input_schema: { type: "object", properties: {} } }];
    const body = { model, max_tokens: 100, system: "Be short.", tools, tool_choice: { type: "auto" }, messages };
    const response = await simulated.gateway.post("/messages", body, KEY, CLIENT_HEADERS);
    const result = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${result}`);
    expect(JSON.parse(result)).toMatchObject({ type: "message", role: "assistant" });
  });

  it("chat completions: a developer's message, and a response given back as another provider gave it", async () => {
    const messages = [
      { role: "developer", content: "Be short." },
      { role: "user", content: "Look." },
      // Thinking goes back to providers that think between calls, and stays away from Google, which refuses the field.
      { role: "assistant", content: "I look.", reasoning_content: "Hm." },
      { role: "user", content: "And now?" },
    ];
    const response = await simulated.gateway.post("/chat/completions", { model, messages }, KEY, CLIENT_HEADERS);
    expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
  });

  it("responses: pictures, calls side by side, reasoning and custom tools", async () => {
    const input = [
      { type: "message", role: "system", content: "Be short." },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "Look." },
          { type: "input_image", image_url: `data:image/png;base64,${PIXEL_BASE64}`, detail: "auto" },
        ],
      },
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "x" },
      { type: "function_call", id: "fc_1", call_id: "call_1", name: "look", arguments: "{}", status: "completed" },
      { type: "function_call", id: "fc_2", call_id: "call_2", name: "look", arguments: "{}", status: "completed" },
      { type: "function_call_output", call_id: "call_2", output: [{ type: "input_text", text: "Blue." }] },
      { type: "function_call_output", call_id: "call_1", output: "Grey." },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Well.", annotations: [] }] },
      { type: "message", role: "user", content: "And now?" },
    ];
    const tools = [
      { type: "function", name: "look", description: "Looks.", parameters: { type: "object", properties: {} } },
      { type: "custom", name: "apply_patch", description: "Patches.", format: { type: "text" } },
      { type: "web_search" },
    ];
    const text = { format: { type: "json_schema", name: "x", schema: { type: "object", properties: {} } } };
    const body = { model, input, tools, text, store: false, max_output_tokens: 100, parallel_tool_calls: true };
    const response = await simulated.gateway.post("/responses", body, KEY, CLIENT_HEADERS);
    const result = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${result}`);
    expect(JSON.parse(result)).toMatchObject({ object: "response", status: "completed" });
  });
});
