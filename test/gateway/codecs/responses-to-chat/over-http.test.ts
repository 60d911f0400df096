import { beforeEach, describe, expect, it } from "vitest";
import { reply, replyEvents } from "../../../support/wire-provider.ts";
import { fixture } from "./translated.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const wire = useWire();

const LIMITED = "sk-limited0000000000000000000000000000000000000000000";

const gateway = useGateway(() => ({
  keys: [{ key: LIMITED, name: "limited", models: ["local-model"] }],
  env: { POSTERN_COMPATIBLE_BASE_URL: `${wire.origin}/v1`, POSTERN_COMPATIBLE_API_KEY: "sk-local" },
}));
beforeEach(() => {
  wire.reset();
  wire.on("GET /v1/models", reply(200, { object: "list", data: [{ id: "local-model", object: "model" }] }));
});

const USAGE = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
const COMPLETION = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "local-model",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }],
  usage: USAGE,
};
const data = (value: unknown): string => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
const delta = (value: object, finish: string | null = null): string =>
  data({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: value, finish_reason: finish }] });
const called = (index: number, name: string, args: string): string =>
  delta({ tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name, arguments: args } }] });

describe("a provider that only speaks chat", () => {
  it("answers the SDK's responses.create, and is billed", async () => {
    wire.on("POST /v1/chat/completions", reply(200, COMPLETION));
    const response = await gateway.sdk().responses.create({
      model: "local-model",
      instructions: "Be brief.",
      input: "Hi",
      reasoning: { effort: "high" },
    });
    expect(response).toMatchObject({ object: "response", model: "local-model", output_text: "Hello.", store: false });
    expect(response.usage).toMatchObject({ input_tokens: 20, output_tokens: 5, total_tokens: 25 });
    expect(wire.seen[0]?.json).toEqual({
      model: "local-model",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
      ],
      reasoning_effort: "high",
    });
    const { terms, endpoint } = await gateway.receipt();
    expect([endpoint, ...terms.map((term) => [term.unit, term.quantity])]).toEqual([
      "responses",
      ["input", 20],
      ["output", 5],
    ]);
  });

  it("streams to the SDK's helper, calls in namespaces included", async () => {
    wire.on(
      "POST /v1/chat/completions",
      replyEvents(
        delta({ role: "assistant", content: "" }),
        delta({ reasoning_content: "Hm." }),
        delta({ content: "Let me " }),
        delta({ content: "see." }),
        called(0, "plain", "{}"),
        called(1, "mcp__gw__echo", '{"text":"x"}'),
        delta({}, "tool_calls"),
        data({ id: "c", object: "chat.completion.chunk", choices: [], usage: USAGE }),
        data("[DONE]"),
      ),
    );
    const tools = [
      { type: "function", name: "plain", parameters: {}, strict: false },
      { type: "namespace", name: "mcp__gw", description: "", tools: [{ type: "function", name: "echo" }] },
    ];
    const stream = gateway.sdk().responses.stream({ model: "local-model", input: "Hi", tools: tools as never });
    let text = "";
    stream.on("response.output_text.delta", (event) => (text += event.delta));
    const final = await stream.finalResponse();
    expect(text).toBe("Let me see.");
    expect(final).toMatchObject({
      status: "completed",
      output_text: "Let me see.",
      output: [
        { type: "reasoning", summary: [{ text: "Hm." }] },
        { type: "message" },
        { type: "function_call", call_id: "call_0", name: "plain", arguments: "{}" },
        { type: "function_call", call_id: "call_1", name: "echo", namespace: "mcp__gw", arguments: '{"text":"x"}' },
      ],
      usage: { total_tokens: 25 },
    });
  });

  it("continues a response by its id, whole or streamed, with a limited key too, and says when it ended", async () => {
    wire.on("POST /v1/chat/completions", reply(200, COMPLETION));
    const first = await gateway.sdk().responses.create({ model: "local-model", input: "Hi" });
    expect(first.completed_at).toBeGreaterThanOrEqual(first.created_at);
    const asked = { model: "local-model", input: "And you?", previous_response_id: first.id };
    const second = await gateway.post("/responses", asked, LIMITED);
    expect(await second.json()).toMatchObject({ status: "completed", previous_response_id: first.id });
    const messages = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello." },
      { role: "user", content: "And you?" },
    ];
    expect(wire.seen.at(-1)?.json).toMatchObject({ messages });
    wire.on("POST /v1/chat/completions", replyEvents(delta({ content: "ok" }), delta({}, "stop"), data("[DONE]")));
    const streamed = await gateway.post("/responses", { ...asked, stream: true });
    const events = await streamed.text();
    expect(events).toContain(`"previous_response_id":"${first.id}"`);
    expect(events).toMatch(/"type":"response.created".*"completed_at":null/);
    expect(events).toMatch(/"type":"response.completed".*"completed_at":\d+/);
    expect(wire.seen.at(-1)?.json).toMatchObject({ messages });
    const unknown = await gateway.post("/responses", { ...asked, previous_response_id: "resp_0" });
    expect(unknown.status).toBe(400);
    expect(await unknown.text()).toContain("'previous_response_id' (\\\"resp_0\\\") is not known here");
  });

  it("gets all of a turn of Codex", async () => {
    wire.on("POST /v1/chat/completions", replyEvents(delta({ content: "ok" }), delta({}, "stop"), data("[DONE]")));
    const response = await gateway.post("/responses", { ...fixture("codex-turn.json"), model: "local-model" });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("event: response.completed\n");
    expect(wire.seen[0]?.json).toEqual({
      ...fixture("codex-turn.chat.json"),
      model: "local-model",
      stream_options: { include_usage: true },
    });
  });

  it("that fails in the middle ends the stream with an error, and not as if it were whole", async () => {
    const error = { message: "The provider broke.", type: "server_error", param: null, code: null };
    wire.on("POST /v1/chat/completions", replyEvents(delta({ content: "Hel" }), data({ error })));
    const response = await gateway.post("/responses", { model: "local-model", input: "Hi", stream: true });
    const text = await response.text();
    expect(text).toContain("event: response.output_text.delta\n");
    expect(text.trimEnd().split("\n\n").at(-1)).toMatch(/^event: error\ndata: .*The provider broke\./);
    expect(text).not.toContain("response.completed");
  });
});
