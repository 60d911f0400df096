import { encode } from "gpt-tokenizer";
import { describe, expect, test } from "vitest";
import { requestKinds } from "../../../../gateway/contract/routed.ts";
import { conversationFacts } from "../../../../gateway/core/routes/conversation-facts.ts";
import type { ConversationRequest } from "../../../../gateway/core/routes/conversation-facts.ts";
import type { RequestFacts } from "../../../../gateway/core/routes/request-facts.ts";
import { mostPrompt } from "../../../../gateway/core/money/prompt-tokens.ts";

type Fields = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

function facts(dialect: ConversationRequest["dialect"], body: Fields, headers: Headers = {}): RequestFacts {
  return conversationFacts({ dialect, body, headers, bytes: JSON.stringify(body).length });
}

const user = (content: unknown): Fields => ({ role: "user", content });
const hi = [user("Say hello")];
const PNG = "iVBORw0KGgo=";
const SESSION = "c0ffee00-1111-4222-8333-444455556666";
const USER_ID = JSON.stringify({ device_id: "d", account_uuid: "", session_id: SESSION });

/** As Claude Code 2.1.329 sends them. */
const billing = (more = ""): Fields => ({
  type: "text",
  text: `x-anthropic-billing-header: cc_version=2.1.329.abc; cc_entrypoint=sdk-cli;${more}`,
});
const NAME = { type: "text", text: "You are Claude Code, Anthropic's official CLI for Claude." };
const claudeHeaders: Headers = { "x-app": "cli", "x-claude-code-session-id": SESSION };
const bash = { name: "Bash", description: "Runs a command", input_schema: { type: "object", properties: {} } };
const claudeMain: Fields = {
  model: "claude-opus-5-5",
  max_tokens: 128_000,
  system: [billing(), NAME, { type: "text", text: "You help with software. Keep the conversation short, use titles." }],
  messages: [
    user([{ type: "text", text: "hi" }]),
    { role: "system", content: "note", output_config: { effort: "high" } },
  ],
  tools: [bash],
  metadata: { user_id: USER_ID },
  thinking: { type: "adaptive", display: "omitted" },
  context_management: { edits: [] },
  output_config: { effort: "high" },
  stream: true,
};
/** A call of Claude Code's without tools and without thinking, as it makes them of its small model. */
const claudeSmall = (system: string, turn: string, more: Fields = {}): Fields => ({
  model: "claude-haiku-5-5",
  max_tokens: 32_000,
  system: [billing(), NAME, { type: "text", text: system }],
  messages: [user([{ type: "text", text: turn }])],
  tools: [],
  metadata: { user_id: USER_ID },
  stream: true,
  ...more,
});
const titleSchema = (...names: string[]): Fields => ({
  type: "json_schema",
  schema: { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) },
});

/** Codex 0.169. */
const codex: Fields = {
  model: "gpt-5.4",
  stream: true,
  store: false,
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: SESSION,
  reasoning: { summary: "auto" },
  parallel_tool_calls: false,
  tool_choice: "auto",
  tools: [
    { type: "function", name: "shell", parameters: {} },
    { type: "namespace", name: "mcp__gw", tools: [{ type: "function", name: "echo" }] },
    { type: "web_search", external_web_access: true },
  ],
  input: [
    {
      type: "message",
      role: "developer",
      content: [{ type: "input_text", text: "You are Codex. Sessions have titles." }],
    },
    { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
  ],
};

const chat = (messages: unknown, more: Fields = {}): Fields => ({ model: "gpt-5.4", messages, ...more });

describe("what clients send is of these kinds", () => {
  test.each<[string, ConversationRequest["dialect"], Fields, Headers, readonly string[]]>([
    ["a plain chat", "chat", chat(hi), {}, []],
    ["Claude Code's turn", "messages", claudeMain, claudeHeaders, ["thinking", "tools"]],
    ["… with thinking off", "messages", { ...claudeMain, thinking: { type: "disabled" } }, claudeHeaders, ["tools"]],
    [
      "… of a sub-agent",
      "messages",
      claudeMain,
      { ...claudeHeaders, "x-claude-code-agent-id": "a1" },
      ["subagent", "thinking", "tools"],
    ],
    [
      "… which only the billing line tells",
      "messages",
      { ...claudeMain, system: [billing(" cc_is_subagent=true;"), NAME] },
      {},
      ["subagent", "thinking", "tools"],
    ],
    [
      "… which only the user's id tells",
      "messages",
      { ...claudeMain, metadata: { user_id: JSON.stringify({ session_id: SESSION, parent_session_id: "p" }) } },
      {},
      ["subagent", "thinking", "tools"],
    ],
    [
      "… which the class of the request tells",
      "messages",
      claudeMain,
      { ...claudeHeaders, "x-claude-code-request-class": "workflow" },
      ["subagent", "thinking", "tools"],
    ],
    [
      "a sub-agent without tools is none in the background",
      "messages",
      claudeSmall("You are an agent.", "Do it."),
      { ...claudeHeaders, "x-claude-code-agent-id": "a1" },
      ["subagent"],
    ],
    [
      "Claude Code's topic",
      "messages",
      claudeSmall(
        "Analyze if this message indicates a new conversation topic. Answer with JSON: 'isNewTopic' and 'title'.",
        "fix the login",
      ),
      claudeHeaders,
      ["background", "title"],
    ],
    [
      "Claude Code's title of a session",
      "messages",
      claudeSmall(
        "Generate a concise, sentence-case title (3-7 words) that captures the goal of this coding session.",
        "fix the login",
        { output_config: { format: titleSchema("title") } },
      ),
      claudeHeaders,
      ["background", "title"],
    ],
    [
      "… in other words, by its schema",
      "messages",
      claudeSmall("Name it.", "fix the login", { output_config: { format: titleSchema("title", "branch") } }),
      claudeHeaders,
      ["background", "title"],
    ],
    [
      "Claude Code 0.2's summary",
      "messages",
      {
        model: "claude-3-5-haiku-20241022",
        max_tokens: 512,
        system: [
          { type: "text", text: "Summarize this coding conversation in under 50 characters.\nCapture the task." },
        ],
        messages: [user("Please write a 5-10 word title the following conversation:\n\nUser: hi")],
        temperature: 0,
        metadata: { user_id: `user_abc_account__session_${SESSION}` },
      },
      {},
      ["background", "title"],
    ],
    [
      "Claude Code's look at a page that it has fetched",
      "messages",
      claudeSmall("", "Web page content: …"),
      claudeHeaders,
      ["background"],
    ],
    [
      "… by the name of a route",
      "messages",
      claudeSmall("", "Web page content: …", { model: "everyday" }),
      claudeHeaders,
      ["background"],
    ],
    [
      "the probe of its quota",
      "messages",
      { model: "claude-haiku-5-5", max_tokens: 1, messages: [user("quota")], metadata: { user_id: USER_ID } },
      {},
      ["background"],
    ],
    [
      "what might be typed next",
      "messages",
      { ...claudeMain, messages: [...hi, user([{ type: "text", text: "[SUGGESTION MODE: Suggest what …" }])] },
      claudeHeaders,
      ["background", "thinking", "tools"],
    ],
    [
      "what it says to be auxiliary",
      "messages",
      { ...claudeMain, thinking: undefined },
      { ...claudeHeaders, "x-claude-code-request-class": "auxiliary" },
      ["background", "tools"],
    ],
    [
      "what it says to be of the conversation, without tools",
      "messages",
      claudeSmall("", "hello"),
      { ...claudeHeaders, "x-claude-code-request-class": "main" },
      [],
    ],
    [
      "a conversation that is compacted goes on with that",
      "messages",
      claudeSmall("You are a helpful AI assistant tasked with summarizing conversations.", "Your task is to create a"),
      claudeHeaders,
      [],
    ],
    [
      "… with the tools of the conversation",
      "messages",
      { ...claudeMain, messages: [...hi, user("CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.")] },
      claudeHeaders,
      ["thinking", "tools"],
    ],
    [
      "Claude Code's search",
      "messages",
      claudeSmall("", "Perform a web search for the query: pelicans", {
        tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 8 }],
        tool_choice: { type: "auto" },
      }),
      claudeHeaders,
      ["web_search"],
    ],
    [
      "a function that is called so",
      "messages",
      { messages: hi, tools: [{ ...bash, name: "web_search" }] },
      {},
      ["tools"],
    ],
    [
      "a picture that a tool has read",
      "messages",
      {
        ...claudeMain,
        messages: [
          user([
            {
              type: "tool_result",
              tool_use_id: "t",
              content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: PNG } }],
            },
          ]),
        ],
      },
      claudeHeaders,
      ["thinking", "pictures", "tools"],
    ],
    [
      "a PDF that a tool has read, and a picture",
      "messages",
      {
        messages: [
          user([
            { type: "tool_result", content: [{ type: "document", source: { type: "base64", data: "JVBERi0=" } }] },
          ]),
          user([{ type: "image", source: { type: "url", url: "https://example.com/a.png" } }]),
        ],
      },
      {},
      ["pictures", "files"],
    ],
    [
      "a document of words, with a picture among them",
      "messages",
      {
        messages: [
          user([{ type: "document", source: { type: "text", data: "words" } }]),
          user([{ type: "document", source: { type: "content", content: [{ type: "image", source: {} }] } }]),
        ],
      },
      {},
      ["pictures"],
    ],
    [
      "thinking with a budget",
      "messages",
      { messages: hi, thinking: { type: "enabled", budget_tokens: 2_000 } },
      {},
      ["thinking"],
    ],
    ["Codex", "responses", codex, { "session-id": SESSION }, ["tools", "web_search"]],
    [
      "Codex with effort",
      "responses",
      { ...codex, reasoning: { effort: "high" } },
      {},
      ["thinking", "tools", "web_search"],
    ],
    [
      "Codex's sub-agent",
      "responses",
      codex,
      { "x-openai-subagent": "collab_spawn" },
      ["subagent", "tools", "web_search"],
    ],
    ["… by its parent", "responses", codex, { "x-codex-parent-thread-id": "p" }, ["subagent", "tools", "web_search"]],
    ["Codex that compacts", "responses", codex, { "x-openai-subagent": "compact" }, ["tools", "web_search"]],
    [
      "Codex's memories",
      "responses",
      codex,
      { "x-openai-subagent": "memory_consolidation" },
      ["background", "tools", "web_search"],
    ],
    [
      "a picture from a function",
      "responses",
      {
        input: [{ type: "function_call_output", call_id: "c", output: [{ type: "input_image", image_url: "data:" }] }],
      },
      {},
      ["pictures"],
    ],
    [
      "what a computer shows",
      "responses",
      { input: [{ type: "computer_call_output", output: { type: "computer_screenshot", image_url: "data:" } }] },
      {},
      ["pictures"],
    ],
    ["a file", "responses", { input: [user([{ type: "input_file", file_id: "file-1" }])] }, {}, ["files"]],
    ["text alone", "responses", { input: "hi" }, {}, []],
    [
      "OpenAI's preview of search",
      "responses",
      { input: "hi", tools: [{ type: "web_search_preview" }] },
      {},
      ["web_search"],
    ],
    ["chat's search", "chat", chat(hi, { web_search_options: {} }), {}, ["web_search"]],
    ["xAI's search", "chat", chat(hi, { search_parameters: { mode: "auto" } }), {}, ["web_search"]],
    ["… switched off", "chat", chat(hi, { search_parameters: { mode: "off" } }), {}, []],
    ["DashScope's search", "chat", chat(hi, { enable_search: true }), {}, ["web_search"]],
    ["OpenRouter's search", "chat", chat(hi, { plugins: [{ id: "web" }] }), {}, ["web_search"]],
    ["… behind the model's name", "chat", chat(hi, { model: "openai/gpt-5.4:online" }), {}, ["web_search"]],
    ["Google's search", "chat", chat(hi, { tools: [{ google_search: {} }] }), {}, ["web_search"]],
    [
      "… in its layer for OpenAI's clients",
      "chat",
      chat(hi, { extra_body: { google: { tools: [{ googleSearch: {} }], thinking_config: { thinking_budget: 99 } } } }),
      {},
      ["thinking", "web_search"],
    ],
    [
      "Moonshot's search",
      "chat",
      chat(hi, { tools: [{ type: "builtin_function", function: { name: "$web_search" } }] }),
      {},
      ["web_search"],
    ],
    ["functions of old", "chat", chat(hi, { functions: [{ name: "f" }] }), {}, ["tools"]],
    ["no tools", "chat", chat(hi, { tools: [], functions: [] }), {}, []],
    ["effort", "chat", chat(hi, { reasoning_effort: "low" }), {}, ["thinking"]],
    ["no effort", "chat", chat(hi, { reasoning_effort: "none" }), {}, []],
    ["OpenRouter's reasoning", "chat", chat(hi, { reasoning: { max_tokens: 500 } }), {}, ["thinking"]],
    ["DashScope's thinking", "chat", chat(hi, { enable_thinking: true }), {}, ["thinking"]],
    ["DeepSeek's thinking, off", "chat", chat(hi, { thinking: { type: "disabled" } }), {}, []],
    ["vLLM's thinking", "chat", chat(hi, { chat_template_kwargs: { enable_thinking: true } }), {}, ["thinking"]],
    [
      "a picture",
      "chat",
      chat([user([{ type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } }])]),
      {},
      ["pictures"],
    ],
    [
      "a PDF",
      "chat",
      chat([user([{ type: "file", file: { file_data: "data:application/pdf;base64,JVBERi0=" } }])]),
      {},
      ["files"],
    ],
    [
      "a sound as a file",
      "chat",
      chat([user([{ type: "file", file: { file_data: "data:audio/wav;base64,UklG" } }])]),
      {},
      [],
    ],
    [
      "opencode's title",
      "chat",
      chat(
        [
          { role: "system", content: "You are a title generator. You output ONLY a thread title. Nothing else." },
          user("Generate a title for this conversation:\n"),
          user('"say ok"'),
        ],
        { reasoning_effort: "low" },
      ),
      {},
      ["background", "title", "thinking"],
    ],
    [
      "opencode's sub-agent",
      "chat",
      chat(hi, { tools: [{ type: "function" }] }),
      { "x-parent-session-id": "p" },
      ["subagent", "tools"],
    ],
    [
      "Zed's title",
      "chat",
      chat([
        ...hi,
        { role: "assistant", content: "Hello" },
        user("Generate a concise 3-7 word title for this conversation."),
      ]),
      {},
      ["background", "title"],
    ],
    [
      "Open WebUI's title",
      "chat",
      chat([user("### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### …")]),
      {},
      ["background", "title"],
    ],
    [
      "Open WebUI's follow-ups",
      "chat",
      chat([user("### Task:\nSuggest 3-5 relevant follow-up questions …\n<chat_history>\nUSER: hi\n</chat_history>")]),
      {},
      ["background"],
    ],
    [
      "a title in Chinese",
      "chat",
      chat([...hi, user("使用四到五个字直接返回这句话的简要主题，不要解释。这是会话的标题。")]),
      {},
      ["background", "title"],
    ],
    [
      "who speaks next, in Qwen Code",
      "chat",
      chat([
        ...hi,
        user("Analyze *only* the content and structure of your immediately preceding response (your last turn)."),
      ]),
      {},
      ["background"],
    ],
    [
      "a person who wants a title",
      "chat",
      chat([user("Write a title for my blog post on the history of tea")]),
      {},
      [],
    ],
    [
      "an assistant that is told of titles",
      "chat",
      chat([
        { role: "system", content: "You are a helpful assistant. Use headings and titles where they help." },
        ...hi,
      ]),
      {},
      [],
    ],
    [
      "an agent that is told of titles of sessions has tools",
      "chat",
      chat([{ role: "system", content: "You write a title for each chat." }, ...hi], { tools: [{ type: "function" }] }),
      {},
      ["tools"],
    ],
    [
      "a schema with a title, of who is not Claude Code",
      "messages",
      { messages: hi, output_config: { format: titleSchema("title") } },
      {},
      [],
    ],
    [
      "nothing that is right",
      "chat",
      { messages: [null, 1, { content: [null, 2] }], tools: [null, "x"], thinking: 1 },
      {},
      [],
    ],
    ["nothing at all", "messages", {}, {}, []],
  ])("%s", (_, dialect, body, headers, kinds) => {
    const found = facts(dialect, body, headers).kinds;
    expect(found).toEqual(kinds);
    expect(found).toEqual(requestKinds.filter((kind) => found.includes(kind)));
  });
});

describe("what they need of a model", () => {
  test.each<[string, ConversationRequest["dialect"], Fields, readonly string[]]>([
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
    [
      "search alone",
      "messages",
      { messages: hi, tools: [{ type: "web_search_20260209", name: "web_search" }] },
      ["web_search"],
    ],
  ])("%s", (_, dialect, body, needs) => {
    expect(facts(dialect, body).needs).toEqual(needs);
  });
});

test.each<[string, ConversationRequest["dialect"], Fields, boolean]>([
  ["a plain chat", "chat", chat(hi), false],
  ["Claude Code", "messages", claudeMain, false],
  ["Codex, which stores nothing", "responses", codex, false],
  ["what is stored", "responses", { ...codex, store: true }, true],
  ["what goes on in the background", "responses", { input: "hi", background: true }, true],
  ["a stored conversation", "responses", { input: "hi", conversation: "conv_1" }, true],
  ["a hosted MCP server", "responses", { input: "hi", tools: [{ type: "mcp", server_url: "https://a" }] }, true],
  ["Anthropic's MCP servers", "messages", { messages: hi, mcp_servers: [{ type: "url" }] }, true],
  ["none of them", "messages", { messages: hi, mcp_servers: [] }, false],
  ["a code interpreter", "responses", { input: "hi", tools: [{ type: "code_interpreter" }] }, true],
  ["code at Anthropic's", "messages", { messages: hi, tools: [{ type: "code_execution_20250825" }] }, true],
  ["code at Google's", "chat", chat(hi, { tools: [{ codeExecution: {} }] }), true],
  ["code at DashScope's", "chat", chat(hi, { enable_code_interpreter: true }), true],
  ["a tool that nobody knows", "responses", { input: "hi", tools: [{ type: "send_mail" }] }, true],
  ["a shell here", "responses", { input: "hi", tools: [{ type: "shell" }] }, false],
  [
    "a shell there",
    "responses",
    { input: "hi", tools: [{ type: "shell", environment: { type: "container_auto" } }] },
    true,
  ],
  [
    "search, pages, files and pictures",
    "responses",
    {
      input: "hi",
      tools: [
        { type: "web_search" },
        { type: "web_fetch_20250910" },
        { type: "file_search" },
        { type: "image_generation" },
      ],
    },
    false,
  ],
  [
    "a client's own shell and editor",
    "messages",
    {
      messages: hi,
      tools: [{ type: "bash_20250124" }, { type: "text_editor_20250728" }, { type: "computer_20250124" }],
    },
    false,
  ],
])("whether repeating it may harm: %s", (_, dialect, body, unsafe) => {
  expect(facts(dialect, body).unsafe).toBe(unsafe);
});

test.each<[string, Fields, Headers, string | null]>([
  ["nobody tells", chat(hi), {}, null],
  ["Claude Code's header", claudeMain, { "x-claude-code-session-id": "s1" }, "s1"],
  ["the user's id", claudeMain, {}, SESSION],
  ["the user's id of old", { metadata: { user_id: `user_abc_account_def_session_${SESSION}` } }, {}, SESSION],
  ["another user's id", { metadata: { user_id: "alice" } }, {}, null],
  ["Codex's header", codex, { "session-id": "s2", "thread-id": "t" }, "s2"],
  ["Codex's header of old", {}, { session_id: "s3" }, "s3"],
  ["Codex's cache", codex, {}, SESSION],
  ["opencode's header", {}, { "x-session-affinity": "ses_1" }, "ses_1"],
  ["ours goes first", claudeMain, { ...claudeHeaders, "x-postern-session": "mine" }, "mine"],
  ["an empty one is none", codex, { "x-postern-session": " " }, SESSION],
  ["a long one is none", {}, { "x-postern-session": "x".repeat(257) }, null],
])("the session: %s", (_, body, headers, session) => {
  expect(facts("messages", body, headers).session).toBe(session);
});

test.each<[ConversationRequest["dialect"], Fields, number | null]>([
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
    const held = mostPrompt(body, { id: "gpt-5.4", owner: "openai", context: null }).tokens;
    expect(facts("chat", body).inputTokens()).toBeGreaterThan(held * 0.79);
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
  const found = conversationFacts({ dialect: "chat", body, headers: {}, bytes: 10 });
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
