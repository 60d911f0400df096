import { encode } from "gpt-tokenizer";
import { describe, expect, test } from "vitest";
import { findMostPrompt } from "../../../../gateway/core/money/prompt-tokens.ts";
import { createConversationFacts } from "../../../../gateway/core/routes/conversation-facts.ts";
import { chat, claudeMain, codex, facts, hi, titleSchema, user, type Dialect, type Fields } from "./client-requests.ts";

/** What is asked of the Responses API with tools, and of the Messages API. */
const input = (...tools: readonly Fields[]): Fields => ({ input: "hi", tools });
const messages = (...tools: readonly Fields[]): Fields => ({ messages: hi, tools });

describe("what they need of a model", () => {
  test.each<[string, Dialect, Fields, readonly string[]]>([
    ["words", "chat", chat(hi), []],
    [
      "everything",
      "responses",
      {
        ...codex,
        input: [
          user([
            { type: "input_image", image_url: "data:" },
            { type: "input_file", file_id: "f" },
          ]),
        ],
        text: { format: titleSchema("title") },
      },
      ["pictures", "files", "tools", "json_schema", "web_search"],
    ],
    [
      "a schema",
      "chat",
      chat(hi, { response_format: { type: "json_schema", json_schema: { schema: {} } } }),
      ["json_schema"],
    ],
    ["JSON by no schema", "chat", chat(hi, { response_format: { type: "json_object" } }), []],
    ["text", "responses", { input: "hi", text: { format: { type: "text" }, verbosity: "low" } }, []],
    [
      "Anthropic's schema",
      "messages",
      { messages: hi, output_config: { effort: "low", format: titleSchema("a") } },
      ["json_schema"],
    ],
    ["an effort alone", "messages", { messages: hi, output_config: { effort: "low" } }, []],
    ["search alone", "messages", messages({ type: "web_search_20260209", name: "web_search" }), ["web_search"]],
  ])("%s", (_, dialect, body, needs) => {
    expect(facts(dialect, body).needs).toEqual(needs);
  });
});

test.each<[string, Dialect, Fields, boolean]>([
  ["a plain chat", "chat", chat(hi), false],
  ["Claude Code", "messages", claudeMain, false],
  ["Codex, which stores nothing", "responses", codex, false],
  ["what is stored", "responses", { ...codex, store: true }, true],
  ["what goes on in the background", "responses", { input: "hi", background: true }, true],
  ["a stored conversation", "responses", { input: "hi", conversation: "conv_1" }, true],
  ["a hosted MCP server", "responses", input({ type: "mcp", server_url: "https://a" }), true],
  ["Anthropic's MCP servers", "messages", { messages: hi, mcp_servers: [{ type: "url" }] }, true],
  ["none of them", "messages", { messages: hi, mcp_servers: [] }, false],
  ["a code interpreter", "responses", input({ type: "code_interpreter" }), true],
  ["code at Anthropic's", "messages", messages({ type: "code_execution_20250825" }), true],
  ["code at Google's", "chat", chat(hi, { tools: [{ codeExecution: {} }] }), true],
  ["code at DashScope's", "chat", chat(hi, { enable_code_interpreter: true }), true],
  ["a tool that nobody knows", "responses", input({ type: "send_mail" }), true],
  ["a shell here", "responses", input({ type: "shell" }), false],
  ["a shell there", "responses", input({ type: "shell", environment: { type: "container_auto" } }), true],
  [
    "search, pages, files and pictures",
    "responses",
    input(
      { type: "web_search" },
      { type: "web_fetch_20250910" },
      { type: "file_search" },
      { type: "image_generation" },
    ),
    false,
  ],
  [
    "a client's own shell and editor",
    "messages",
    messages({ type: "bash_20250124" }, { type: "text_editor_20250728" }, { type: "computer_20250124" }),
    false,
  ],
])("whether repeating it may harm: %s", (_, dialect, body, unsafe) => {
  expect(facts(dialect, body).unsafe).toBe(unsafe);
});

test.each<[Dialect, Fields, number | null]>([
  ["chat", {}, null],
  ["chat", { max_tokens: 5 }, 5],
  ["chat", { max_completion_tokens: 7, max_tokens: 5 }, 7],
  ["messages", { max_tokens: 5, max_output_tokens: 9 }, 5],
  ["responses", { max_output_tokens: 9, max_tokens: 5 }, 9],
  ["responses", { max_output_tokens: "9" }, null],
  ["responses", { max_output_tokens: -1 }, null],
])("output tokens of %s %j: %s", (dialect, body, tokens) => {
  expect(facts(dialect, body).outputTokens).toBe(tokens);
});

describe("input tokens", () => {
  const prose =
    "The pelican is a large bird that lives near the water and eats fish, which it catches in the pouch below its bill. " +
    "In the morning it flies over the lake together with the others, and in the evening they rest on the rocks. ";
  const body = chat([{ role: "system", content: prose.repeat(20) }, user(prose.repeat(80))]);

  test("are above what a tokenizer makes of prose, and not by much", () => {
    const truth = encode(prose.repeat(100)).length;
    expect(facts("chat", body).inputTokens()).toBeGreaterThan(truth);
    expect(facts("chat", body).inputTokens()).toBeLessThan(truth * 1.35);
  });

  test("are not below what is held by more than a fifth", () => {
    const reserved = findMostPrompt(body, { id: "gpt-5.4", owner: "openai", context: null }).own;
    expect(facts("chat", body).inputTokens()).toBeGreaterThan(reserved * 0.79);
  });

  test("are no whole context because of a search, unlike what is held", () => {
    const searching = { ...body, web_search_options: {} };
    expect(facts("chat", searching).inputTokens()).toBeLessThan(10_000);
  });

  test("of many megabytes are counted by a sample", () => {
    const huge = chat([user(prose.repeat(40_000))]);
    const one = facts("chat", chat([user(prose.repeat(400))])).inputTokens();
    const tokens = facts("chat", huge).inputTokens();
    expect(tokens).toBeGreaterThan(one * 70);
    expect(tokens).toBeLessThan(one * 130);
  });
});

test("nothing is looked at before it is asked for, and nothing twice", () => {
  let looks = 0;
  const body = new Proxy(chat([user([{ type: "image_url" }])]), {
    get: (target, name) => {
      looks += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  const found = createConversationFacts({ dialect: "chat", body, headers: {}, session: null, bytes: 10 });
  expect(looks).toBe(0);
  const { kinds, needs, unsafe, session } = found;
  const tokens = found.inputTokens();
  const once = looks;
  expect([found.kinds, found.needs, found.unsafe, found.session, found.inputTokens()]).toEqual([
    kinds,
    needs,
    unsafe,
    session,
    tokens,
  ]);
  expect(looks).toBe(once);
});
