import { describe, expect, it } from "vitest";
import { chat } from "../../../gateway/providers/openai-compatible/chat.ts";
import { chat as deepseek } from "../../../gateway/providers/deepseek/provider.ts";
import { messages as anthropic } from "../../../gateway/providers/anthropic/messages.ts";
import { chat as gemini } from "../../../gateway/providers/gemini/chat.ts";
import { HOSTS } from "../../../gateway/providers/openai-compatible/server-table.ts";
import type { DialectAdapter } from "../../../gateway/providers/provider.ts";
import { bodyOf, dialectCall } from "./dialect-call.ts";

type Body = Record<string, unknown>;

const user = { role: "user", content: "Hi" };
const calls = [{ id: "functions.Bash:0", type: "function", function: { name: "Bash", arguments: "{}" } }];
const result = { role: "tool", tool_call_id: "functions.Bash:0", content: "a.txt" };
const tools = ["Bash", "Read"].map((name) => ({ type: "function", function: { name, strict: true, parameters: {} } }));
const named = { type: "function", function: { name: "Bash" } };
const details = [{ type: "reasoning.encrypted", data: "abc" }];

/** What a server is sent. @param isTranslated the client spoke another dialect */
function sentTo(host: string, body: Body, isTranslated = true): Body {
  const given = dialectCall(
    { model: "m", messages: [user], ...body },
    { origin: host.includes(":") ? host : `https://${host}` },
  );
  return bodyOf(chat.toRequest(isTranslated ? { ...given, raw: null, changed: true } : given, "k"));
}

const thinkingOf = ({ thinking, reasoning, reasoning_effort, enable_thinking, chat_template_kwargs }: Body): Body =>
  JSON.parse(JSON.stringify({ thinking, reasoning, reasoning_effort, enable_thinking, chat_template_kwargs })) as Body;

describe("how much a model thinks", () => {
  it.each<[string, string, string, Body]>([
    ["api.deepseek.com", "deepseek-v4-pro", "none", { thinking: { type: "disabled" } }],
    ["api.deepseek.com", "deepseek-flash", "max", { thinking: { type: "enabled" }, reasoning_effort: "max" }],
    ["api.moonshot.ai", "kimi-k2.6", "none", { thinking: { type: "disabled" } }],
    ["api.moonshot.cn", "kimi-k2.6", "high", { thinking: { type: "enabled" } }],
    ["api.moonshot.ai", "kimi-k2.7-code", "none", {}],
    ["api.moonshot.ai", "kimi-k3", "none", {}],
    ["api.moonshot.ai", "kimi-k3", "medium", { reasoning_effort: "low" }],
    ["api.z.ai", "glm-5", "none", { thinking: { type: "disabled" } }],
    ["api.minimax.io", "MiniMax-M3", "high", { thinking: { type: "adaptive" } }],
    ["api.minimax.io", "MiniMax-M2.5", "none", {}],
    ["api.siliconflow.cn", "Qwen/Qwen3.6-Plus", "none", { enable_thinking: false }],
    ["api.together.ai", "zai-org/GLM-5", "none", { reasoning: { enabled: false } }],
    ["api.groq.com", "qwen/qwen3-32b", "none", { reasoning_effort: "none" }],
    ["api.groq.com", "qwen/qwen3-32b", "high", { reasoning_effort: "default" }],
    ["api.groq.com", "openai/gpt-oss-120b", "none", {}],
    ["api.groq.com", "llama-3.3-70b-versatile", "low", {}],
    ["api.cerebras.ai", "qwen-3.8-27b", "xhigh", { reasoning_effort: "high" }],
    ["openrouter.ai", "deepseek/deepseek-v4-pro", "none", { reasoning_effort: "none" }],
    ["openrouter.ai", "moonshotai/kimi-k3", "none", {}],
    [
      "integrate.api.nvidia.com",
      "z-ai/glm-5",
      "none",
      { chat_template_kwargs: { enable_thinking: false, thinking: false } },
    ],
    [
      "http://127.0.0.1:8000",
      "qwen3.6-27b",
      "none",
      { chat_template_kwargs: { enable_thinking: false, thinking: false } },
    ],
    ["http://127.0.0.1:11434", "qwen3", "minimal", { reasoning_effort: "none" }],
    // No one knows it, and nothing is known of the model.
    ["relay.example", "something", "none", {}],
    ["relay.example", "something", "low", { reasoning_effort: "low" }],
  ])("at %s, %s, effort %s", (host, model, effort, expected) => {
    expect(thinkingOf(sentTo(host, { model, reasoning_effort: effort }))).toEqual(expected);
  });

  it("is what the client says in the server's own words", () => {
    const own = { model: "deepseek-v4-pro", reasoning_effort: "high", thinking: { type: "disabled" } };
    expect(sentTo("api.deepseek.com", own, false)["thinking"]).toEqual({ type: "disabled" });
  });
});

describe("what was thought in earlier turns", () => {
  const reply = {
    role: "assistant",
    content: null,
    tool_calls: calls,
    reasoning_content: "hm",
    reasoning_details: details,
  };
  const thoughtsAt = (host: string, model: string, message: object = reply, body: Body = {}): Body => {
    const sent = sentTo(host, { model, ...body, messages: [user, message, result] })["messages"] as Body[];
    const { reasoning_content, reasoning, reasoning_details } = sent[1] ?? {};
    return JSON.parse(JSON.stringify({ reasoning_content, reasoning, reasoning_details })) as Body;
  };

  it.each<[string, string, Body]>([
    ["api.openai.com", "gpt-5.4", {}],
    ["mine.openai.azure.com", "mine", {}],
    ["mine.services.ai.azure.com", "mine", {}],
    ["mine.cognitiveservices.azure.com", "mine", {}],
    ["api.groq.com", "qwen/qwen3-32b", { reasoning: "hm" }],
    ["api.cerebras.ai", "qwen-3.8-27b", { reasoning: "hm" }],
    ["api.fireworks.ai", "accounts/fireworks/models/glm-5", { reasoning_content: "hm" }],
    ["api.deepseek.com", "deepseek-v4-pro", { reasoning_content: "hm" }],
    ["openrouter.ai", "google/gemini-3.5-flash", { reasoning: "hm", reasoning_details: details }],
    ["http://127.0.0.1:11434", "qwen3", { reasoning: "hm" }],
    ["relay.example", "gpt-5.4", {}],
    ["relay.example", "kimi-k2.6", { reasoning_content: "hm", reasoning_details: details }],
  ])("at %s, %s", (host, model, expected) => {
    expect(thoughtsAt(host, model)).toEqual(expected);
  });

  const silent = { role: "assistant", content: null, tool_calls: calls };
  it.each<[string, string, Body, Body]>([
    ["api.deepseek.com", "deepseek-v4-pro", {}, { reasoning_content: " " }],
    ["api.moonshot.ai", "kimi-k2.6", {}, { reasoning_content: " " }],
    ["api.moonshot.ai", "kimi-k2.6", { reasoning_effort: "none" }, {}],
    ["opencode.ai", "kimi-k2.6", { thinking: { type: "disabled" } }, {}],
    ["api.groq.com", "qwen/qwen3-32b", {}, {}],
  ])("is made up for where %s, %s, refuses a turn without (%j)", (host, model, body, expected) => {
    expect(thoughtsAt(host, model, silent, body)).toEqual(expected);
  });

  it("is in every message of a turn with calls, and in no other, at DeepSeek", () => {
    const done = { role: "assistant", content: "Done." };
    const messages = [user, done, user, silent, result, done, user];
    const call = dialectCall({ model: "deepseek-v4-pro", messages });
    expect(bodyOf(deepseek.toRequest(call, "k"))["messages"]).toEqual(
      messages.map((message, at) =>
        at === 3 || at === 5 ? { ...message, content: message.content ?? "", reasoning_content: " " } : message,
      ),
    );
  });

  it("keeps Claude's signed blocks at gateways in front of it, and nowhere else", () => {
    const blocks = [{ type: "thinking", thinking: "hm", signature: "s" }];
    const message = { role: "assistant", content: "x", thinking_blocks: blocks };
    const at = (host: string, model: string): unknown =>
      (sentTo(host, { model, messages: [user, message] })["messages"] as Body[])[1]?.["thinking_blocks"];
    expect(at("openrouter.ai", "anthropic/claude-sonnet-5")).toEqual(blocks);
    expect(at("relay.example", "claude-sonnet-5")).toEqual(blocks);
    expect(at("openrouter.ai", "x-ai/grok-4.5")).toBeUndefined();
    expect(at("api.groq.com", "claude-like")).toBeUndefined();
  });
});

describe("tools", () => {
  it.each<[string, string, unknown, unknown, number]>([
    ["http://127.0.0.1:1234", "qwen3", named, "required", 1],
    ["http://127.0.0.1:8080", "qwen3", { type: "function", function: { name: "Missing" } }, "auto", 2],
    ["api.deepseek.com", "deepseek-v4-pro", "required", "auto", 2],
    ["api.moonshot.ai", "kimi-k2.6", named, "auto", 2],
    ["api.z.ai", "glm-5", "required", "auto", 2],
    ["openrouter.ai", "z-ai/glm-5", named, "auto", 2],
    ["openrouter.ai", "openai/gpt-5.6", named, named, 2],
    ["relay.example", "anything", named, named, 2],
  ])("are chosen at %s, %s, as it takes %j", (host, model, choice, expected, count) => {
    const sent = sentTo(host, { model, tools, tool_choice: choice });
    expect(sent["tool_choice"]).toEqual(expected);
    expect(sent["tools"]).toHaveLength(count);
  });

  it("can be forced where the model is ordered not to think", () => {
    const off = { model: "deepseek-v4-pro", tools, tool_choice: "required", reasoning_effort: "none" };
    expect(sentTo("api.deepseek.com", off)["tool_choice"]).toBe("required");
  });

  it("are strict only where that is known", () => {
    const strictAt = (host: string): unknown =>
      (sentTo(host, { tools })["tools"] as { function: Body }[])[0]?.function["strict"];
    expect(strictAt("api.together.ai")).toBeUndefined();
    expect(strictAt("openrouter.ai")).toBe(true);
  });

  it("have the ids that the provider gave them, but for OpenAI's bound", () => {
    const messages = [user, { role: "assistant", content: null, tool_calls: calls }, result];
    expect(sentTo("integrate.api.nvidia.com", { model: "moonshotai/kimi-k2", messages })["messages"]).toEqual(messages);
  });
});

describe("fields", () => {
  const OPENAIS = { prompt_cache_key: "k", safety_identifier: "s", store: false, verbosity: "low" };
  it.each(["integrate.api.nvidia.com", "api.groq.com", "router.huggingface.co"])(
    "of OpenAI's house do not reach %s",
    (host) => {
      expect(Object.keys(sentTo(host, OPENAIS)).toSorted()).toEqual(["messages", "model"]);
    },
  );

  it("that Google does not know do not reach it", () => {
    const call = dialectCall({
      model: "gemini-2.5-flash",
      messages: [user],
      parallel_tool_calls: true,
      logit_bias: {},
    });
    expect(bodyOf(gemini.toRequest(call, "k"))).toEqual({ model: "gemini-2.5-flash", messages: [user] });
  });

  it.each<[string, string, string]>([
    ["mine.openai.azure.com", "my-own-name", "max_completion_tokens"],
    ["mine.services.ai.azure.com", "my-own-name", "max_completion_tokens"],
    ["relay.example", "gpt-5.1-eu", "max_completion_tokens"],
    ["relay.example", "azure/gpt-5.1", "max_completion_tokens"],
    ["relay.example", "gpt-4.1", "max_tokens"],
    ["api.deepseek.com", "deepseek-v4-pro", "max_tokens"],
  ])("that bound the response have at %s, %s, the name that it takes", (host, model, name) => {
    const sent = sentTo(host, { model, max_tokens: 9 });
    expect([sent["max_tokens"], sent["max_completion_tokens"]]).toEqual(
      name === "max_tokens" ? [9, undefined] : [undefined, 9],
    );
  });

  it("that hold a schema are words at DeepSeek, which enforces none", () => {
    const format = { type: "json_schema", json_schema: { name: "a", schema: { type: "object", title: "Answer" } } };
    const sent = sentTo("api.deepseek.com", { model: "deepseek-v4-pro", response_format: format });
    expect(sent["response_format"]).toEqual({ type: "json_object" });
    expect(JSON.stringify(sent["messages"])).toContain('{\\"type\\":\\"object\\",\\"title\\":\\"Answer\\"}');
  });

  it("name the conversation where the server wants that, the same in each of its requests", () => {
    const headerOf = (
      messages: readonly object[],
      body: Body = {},
      adapter: Pick<DialectAdapter, "toRequest"> = chat,
    ) =>
      adapter.toRequest(dialectCall({ model: "m", messages, ...body }, { origin: "https://opencode.ai" }), "k").headers[
        "x-opencode-session"
      ];
    const answer = { role: "assistant", content: "x" };
    const other = { role: "user", content: "Something else" };
    for (const adapter of [chat, anthropic]) {
      const first = headerOf([user], {}, adapter);
      expect(first).toMatch(/^[0-9a-z]{32}$/);
      expect(headerOf([user, answer, other], {}, adapter)).toBe(first);
      expect(headerOf([other], {}, adapter)).not.toBe(first);
      expect(headerOf([user], { metadata: { user_id: "u_session_1" } }, adapter)).not.toBe(first);
    }
    // Claude Code writes another line into its instructions each time, and marks what is last for the cache.
    expect(headerOf([{ role: "system", content: "cch=1" }, user])).toBe(
      headerOf([{ role: "system", content: "cch=2" }, user, answer, other]),
    );
    const part = { type: "text", text: "Hi" };
    expect(headerOf([{ role: "user", content: [{ ...part, cache_control: { type: "ephemeral" } }] }])).toBe(
      headerOf([{ role: "user", content: [part] }, answer, other]),
    );
    expect(headerOf([user], { prompt_cache_key: "a" })).not.toBe(headerOf([user], { prompt_cache_key: "b" }));
  });
});

describe("roles", () => {
  const late = { role: "system", content: "Mind the gap." };
  const reminder = { role: "user", content: "<system-reminder>\nMind the gap.\n</system-reminder>" };
  it.each<[string, boolean, object]>([
    ["api.fireworks.ai", true, reminder],
    ["api.minimax.io", false, reminder],
    ["relay.example", true, reminder],
    // What a client says in the server's own dialect stands.
    ["relay.example", false, late],
    ["openrouter.ai", true, late],
  ])("of system messages in the middle, at %s (translated: %s)", (host, isTranslated, expected) => {
    expect(sentTo(host, { messages: [user, late] }, isTranslated)["messages"]).toEqual([user, expected]);
  });

  it("of developers are those of the system but at OpenAI's own models", () => {
    const developer = { role: "developer", content: [{ type: "text", text: "x" }], name: "n" };
    const roleAt = (host: string): unknown =>
      (sentTo(host, { messages: [developer, user] })["messages"] as Body[])[0]?.["role"];
    expect(["api.openai.com", "mine.openai.azure.com", "relay.example", "openrouter.ai"].map(roleAt)).toEqual([
      "developer",
      "developer",
      "system",
      "system",
    ]);
  });
});

it.each([[[user]], [[]], ["x"], [undefined], [[null, 5, "x"]]])(
  "leaves %j to the byte as the client wrote it",
  (messages) => {
    for (const [hosts] of HOSTS) {
      const call = dialectCall({ model: "m", messages }, { origin: `https://${hosts[0]}` });
      expect(chat.toRequest(call, "k").body).toBe(call.raw);
    }
  },
);
