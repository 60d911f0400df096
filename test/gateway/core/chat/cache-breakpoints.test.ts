import { describe, expect, it, test } from "vitest";
import { listCacheBreakpoints, setsCacheMarks } from "../../../../gateway/core/chat/cache-breakpoints.ts";

type Json = Readonly<Record<string, unknown>>;

/** About 2,000 tokens. */
const LONG = "The quick brown fox jumps over the lazy dog. ".repeat(200);
const BILLING = "x-anthropic-billing-header: cc_version=2.1.4; cch=a1b2c;";
const text = (words: string): Json => ({ type: "text", text: words });
const user = (content: unknown): Json => ({ role: "user", content });
const model = (content: unknown): Json => ({ role: "assistant", content });
const result = (id: string): Json => ({ type: "tool_result", tool_use_id: id, content: "18 °C" });
const tool = (name: string, more: Json = {}): Json => ({ name, description: LONG, input_schema: {}, ...more });

describe("in Anthropic's dialect", () => {
  const at = (body: Json, least = 1_024) => listCacheBreakpoints(body, "messages", least).map((path) => path.join("."));

  it.each<[string, Json, readonly string[]]>([
    [
      "tools, system and the last two turns",
      {
        tools: [tool("a"), tool("b")],
        system: [text("Be brief."), text(LONG)],
        messages: [user("one"), model("1"), user("two"), model("2"), user("three")],
      },
      ["tools.1", "system.1", "messages.2.content", "messages.4.content"],
    ],
    ["a system prompt that is a text", { system: LONG, messages: [user("hi")] }, ["system", "messages.0.content"]],
    [
      "results of tools, the last of a turn",
      {
        system: LONG,
        messages: [
          user("weather?"),
          model([{ type: "tool_use", id: "1", name: "a", input: {} }]),
          user([result("1"), result("2")]),
        ],
      },
      ["system", "messages.0.content", "messages.2.content.1"],
    ],
    [
      "the end of a turn that is several messages",
      { system: LONG, messages: [user("a"), user([text("b"), text("c")]), model("1"), user("d"), user("e")] },
      ["system", "messages.1.content.1", "messages.4.content"],
    ],
    [
      "what comes before an empty text, which cannot be marked",
      { system: [text(LONG), text("")], messages: [user([text("a"), text(" ")]), model("1"), user("  ")] },
      ["system.0", "messages.0.content.0"],
    ],
    [
      "the turns before what the model is to go on with",
      { system: LONG, messages: [user("a"), model("1"), user("b"), model("The")] },
      ["system", "messages.0.content", "messages.2.content"],
    ],
    [
      "pictures and documents, but no block that it does not know",
      {
        system: LONG,
        messages: [user([{ type: "image", source: {} }]), model("1"), user([text("a"), { type: "container_upload" }])],
      },
      ["system", "messages.0.content.0", "messages.2.content.0"],
    ],
    [
      "the last tool whose definition is sent",
      { tools: [tool("a"), tool("b", { defer_loading: true }), {}], messages: [user("a")] },
      ["tools.0", "messages.0.content"],
    ],
    [
      "hosted tools",
      { tools: [tool("a"), { type: "web_search_20250305", name: "web_search" }], messages: [] },
      ["tools.1"],
    ],
    [
      "the system prompt behind Claude Code's billing line",
      { system: [text(BILLING), text(LONG)], messages: [user("a")] },
      ["system.1", "messages.0.content"],
    ],
    [
      "nothing of a system prompt that is the billing line alone",
      { tools: [tool("a")], system: [text(BILLING)], messages: [user("a")] },
      ["tools.0", "messages.0.content"],
    ],
    [
      "no instructions between the turns",
      { system: LONG, messages: [user("a"), { role: "system", content: LONG }, model("1")] },
      ["system", "messages.0.content"],
    ],
    ["nothing of a prompt that is too short", { tools: [tool("a", { description: "" })], messages: [user("a")] }, []],
    [
      "only what is long enough with all before it",
      { system: "Be brief.", messages: [user("a"), model(LONG), user("b")] },
      ["messages.2.content"],
    ],
    ["nothing where nothing is", { messages: [] }, []],
    ["nothing of what is no list", { tools: "a", system: 5, messages: "b" }, []],
  ])("marks %s", (_name, body, expected) => {
    expect(at(body)).toEqual(expected);
  });

  it("asks for as many tokens as the model needs", () => {
    const body = { system: LONG, messages: [user(LONG), model("1"), user(LONG)] };
    expect(at(body, 1_024)).toEqual(["system", "messages.0.content", "messages.2.content"]);
    expect(at(body, 2_500)).toEqual(["messages.0.content", "messages.2.content"]);
    expect(at(body, 5_500)).toEqual(["messages.2.content"]);
    expect(at(body, 50_000)).toEqual([]);
  });
});

describe("in the chat API", () => {
  const at = (messages: readonly Json[], more: Json = {}) =>
    listCacheBreakpoints({ messages, ...more }, "chat", 1_024).map((path) => path.join("."));
  const system = (content: unknown, role = "system"): Json => ({ role, content });

  it.each<[string, readonly Json[], readonly string[]]>([
    [
      "the last of the instructions that it begins with, and the last two turns",
      [system(LONG), system("Be brief.", "developer"), user("a"), model("1"), user("b"), model("2"), user("c")],
      ["messages.1.content", "messages.4.content", "messages.6.content"],
    ],
    [
      "results of tools",
      [system(LONG), user("a"), model(null), { role: "tool", tool_call_id: "1", content: "18 °C" }],
      ["messages.0.content", "messages.1.content", "messages.3.content"],
    ],
    [
      "texts only: pictures behind them are not",
      [system([text(LONG)]), user([text("a"), { type: "image_url", image_url: { url: "https://x" } }])],
      ["messages.0.content.0", "messages.1.content.0"],
    ],
    ["instructions alone", [system(LONG)], ["messages.0.content"]],
    ["nothing that is too short", [system("Be brief."), user("a")], []],
  ])("marks %s", (_name, messages, expected) => {
    expect(at(messages)).toEqual(expected);
  });

  it("marks no tools: they come before the instructions, and are cached with them", () => {
    const tools = [{ type: "function", function: { name: "a", description: LONG } }];
    expect(at([system("Be brief."), user("a")], { tools })).toEqual(["messages.0.content", "messages.1.content"]);
  });
});

const mark = { cache_control: { type: "ephemeral" } };
test.each<[string, Json]>([
  ["on the request", { ...mark, messages: [] }],
  ["on a tool", { tools: [{ name: "a", ...mark }] }],
  ["on a function", { tools: [{ type: "function", function: { name: "a", ...mark } }] }],
  ["in the system prompt", { system: [{ ...text("a"), ...mark }] }],
  ["on a message", { messages: [{ ...user("a"), ...mark }] }],
  ["on a block", { messages: [user("a"), model([{ ...text("a"), ...mark }])] }],
  ["in a tool's result", { messages: [user([{ type: "tool_result", content: [{ ...text("a"), ...mark }] }])] }],
  ["in a Responses item", { input: [{ ...user([{ type: "input_text", text: "a", ...mark }]) }] }],
  ["on a call", { messages: [{ ...model(null), tool_calls: [{ id: "1", ...mark }] }] }],
  ["as null", { messages: [{ ...user("a"), cache_control: null }] }],
])("a client's mark %s is seen", (_name, body) => {
  expect(setsCacheMarks(body)).toBe(true);
});

test.each<[string, Json]>([
  ["words", { messages: [user('Explain "cache_control": {"type": "ephemeral"}')] }],
  ["a tool's schema", { tools: [{ name: "a", input_schema: { properties: { cache_control: {} } } }] }],
  ["what a tool is called with", { messages: [model([{ type: "tool_use", id: "1", name: "a", input: mark }])] }],
  ["metadata", { metadata: mark, messages: [user("a")] }],
])("the same in %s is no mark", (_name, body) => {
  expect(setsCacheMarks(body)).toBe(false);
});
