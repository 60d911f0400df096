import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildChatBody, buildChatOfPrompt } from "../../../../gateway/codecs/ollama-to-chat/request.ts";
import { buildOllamaResponse, OllamaStream } from "../../../../gateway/codecs/ollama-to-chat/response.ts";
import { ToolNames } from "../../../../gateway/codecs/messages-to-chat/tool-names.ts";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { ollamaChatSchema } from "../../../../gateway/contract/ollama.ts";
import { chatRequestSchema } from "../../../../gateway/contract/chat.ts";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import type { ModelSpec } from "../../../../gateway/core/models/model.ts";

const facts = (model: ModelSpec | null = null) => ({
  context: { publicModel: "m", model, now: 0, newId: () => "x".repeat(24) },
  names: new ToolNames(64),
  stopSequences: [],
});
const build = (body: Document, model?: ModelSpec | null): Document => buildChatBody(body, facts(model));
const user = { role: "user", content: "Hi" };

describe("a request", () => {
  it.each<[string, Document, Document]>([
    ["no limit", { options: { num_predict: -1 } }, {}],
    ["a random seed", { options: { seed: -1 } }, {}],
    ["one stop", { options: { stop: "a" } }, { stop: ["a"] }],
    ["penalties", { options: { presence_penalty: 1, frequency_penalty: 0 } }, { presence_penalty: 1 }],
    ["log probabilities", { logprobs: true, top_logprobs: 2 }, { logprobs: true, top_logprobs: 2 }],
    ["an empty format", { format: "" }, {}],
    ["thought of a model that is not known", { think: true }, {}],
    ["an effort for one", { think: "high" }, { reasoning_effort: "high" }],
    ["no thought of one", { think: false }, { reasoning_effort: "none" }],
  ])("with %s", (_, given, expected) => {
    expect(build({ messages: [user], ...given })).toEqual({ model: "m", messages: [user], ...expected });
  });

  it.each<[string, unknown, unknown]>([
    ["gpt-4.1", true, undefined],
    ["gpt-5", true, "medium"],
    ["gpt-5", false, "minimal"],
    ["gpt-5", "max", "high"],
    ["claude-sonnet-4-6", false, "none"],
  ])("to %s, think %s, has the effort %s", (id, think, effort) => {
    expect(build({ messages: [user], think }, findModel(id) ?? null)["reasoning_effort"]).toBe(effort);
  });

  it("gives calls without ids the ids of their places, and results without one the open call", () => {
    const calls = ["a", "b", "a"].map((name) => ({ function: { name, arguments: {} } }));
    const result = (content: string, named: Document = {}) => ({ role: "tool", content, ...named });
    const messages = [
      user,
      { role: "Assistant", content: "", tool_calls: calls },
      result("second", { tool_name: "b" }),
      result("first"),
      result("third", { tool_name: "a" }),
    ];
    const built = build({ messages })["messages"] as Document[];
    expect(built.slice(2).map(({ tool_call_id: id, content }) => [id, content])).toEqual([
      ["call_2", "second"],
      ["call_1", "first"],
      ["call_3", "third"],
    ]);
  });

  it("takes a picture as a data address too, and its type from its first characters", () => {
    const images = ["/9j/AAAA", "R0lGODlh", "UklGRg==", "data:image/avif;base64,AAAA"];
    const [{ content } = {}] = build({ messages: [{ ...user, images }] })["messages"] as Document[];
    expect(JSON.stringify(content).match(/data:image\/\w+/g)).toEqual(
      ["jpeg", "gif", "webp", "avif"].map((type) => `data:image/${type}`),
    );
  });

  it.each([{ raw: true }, { template: "{{ .Prompt }}" }, { context: [1] }])(
    "of one prompt with %o is refused",
    (more) => {
      expect(() => buildChatOfPrompt({ prompt: "a", ...more })).toThrow(GatewayError);
      const [name = ""] = Object.keys(more);
      expect(buildChatOfPrompt({ prompt: "a", [name]: null })["messages"]).toHaveLength(1);
    },
  );

  it("that passes the check becomes a chat request that passes its check", () => {
    const text = fc.oneof(fc.constant(""), fc.string({ maxLength: 5 }));
    const call = fc.record(
      {
        id: text,
        function: fc.record({ name: text, arguments: fc.oneof(text, fc.dictionary(text, fc.jsonValue())) }),
      },
      { requiredKeys: ["function"] },
    );
    const message = fc.record(
      {
        role: fc.constantFrom("system", "user", "assistant", "tool", "USER"),
        content: fc.option(text),
        thinking: fc.option(text),
        images: fc.array(fc.constantFrom("/9j/AAAA", "AAAA"), { maxLength: 2 }),
        tool_calls: fc.array(call, { maxLength: 2 }),
        tool_name: text,
        tool_call_id: text,
      },
      { requiredKeys: ["role"] },
    );
    const body = fc.record(
      {
        model: fc.constant("m"),
        messages: fc.array(message, { minLength: 1, maxLength: 5 }),
        tools: fc.array(fc.record({ function: fc.record({ name: fc.string({ minLength: 1 }) }) }), { maxLength: 2 }),
        format: fc.oneof(fc.constantFrom("json", "", null), fc.dictionary(text, fc.jsonValue())),
        think: fc.constantFrom(true, false, "low", "max", null),
        options: fc.record({ num_predict: fc.integer(), seed: fc.integer(), stop: text }, { requiredKeys: [] }),
        stream: fc.boolean(),
      },
      { requiredKeys: ["model", "messages"] },
    );
    fc.assert(
      fc.property(body, (given) => {
        expect(ollamaChatSchema.safeParse(given).success).toBe(true);
        const built = build(given);
        expect(chatRequestSchema.safeParse(built).error?.issues ?? []).toEqual([]);
      }),
    );
  });
});

describe("a response", () => {
  const request = {
    shape: "chat",
    facts: facts(),
    hidesThinking: false,
    now: () => 0,
    elapsed: () => 5,
  } as const;

  it("has the same words whole and in a stream, with log probabilities", () => {
    const logprobs = { content: [{ token: "a", logprob: -1, top_logprobs: [] }] };
    const usage = { prompt_tokens: 3, completion_tokens: 2 };
    const spoken = { role: "assistant", content: "a", reasoning_content: "t" };
    const choice = { index: 0, logprobs, finish_reason: "content_filter" };
    const whole = buildOllamaResponse({ choices: [{ ...choice, message: spoken }], usage }, request);
    expect(whole).toMatchObject({
      created_at: "1970-01-01T00:00:00.000Z",
      message: { content: "a", thinking: "t" },
      logprobs: logprobs.content,
      done_reason: "content_filter",
      prompt_eval_count: 3,
      eval_count: 2,
    });
    const stream = new OllamaStream(request);
    const lines = [...stream.read({ choices: [{ ...choice, delta: spoken }], usage }), ...stream.end()];
    expect(lines.map(({ message }) => message)).toEqual([
      { role: "assistant", content: "", thinking: "t" },
      { role: "assistant", content: "a" },
      { role: "assistant", content: "" },
    ]);
    expect(lines[0]).toMatchObject({ logprobs: logprobs.content, done: false });
    expect(lines.at(-1)).toMatchObject({ done: true, done_reason: "content_filter", eval_count: 2 });
  });
});
