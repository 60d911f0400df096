import { expect, test } from "vitest";
import { requestKinds } from "../../../../gateway/contract/routed.ts";
import {
  recorded,
  bash,
  billing,
  chat,
  claudeHeaders,
  claudeMain,
  claudeSmall,
  codex,
  facts,
  hi,
  NAME,
  PNG,
  SESSION,
  titleSchema,
  user,
  USER_ID,
} from "./client-requests.ts";
import type { Dialect, Fields, Headers } from "./client-requests.ts";

const CODEX: Headers = { "user-agent": "codex_cli_rs/0.169.0 (Debian 12.0.0; x86_64) unknown" };
const codexTurn = codex["input"] as readonly Fields[];
const SEARCHED: Fields = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search" } };

test.each<[string, Dialect, Fields, Headers, readonly string[]]>([
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
    "… which none does that has no parent",
    "messages",
    { ...claudeMain, metadata: { user_id: JSON.stringify({ session_id: SESSION, parent_session_id: "" }) } },
    {},
    ["thinking", "tools"],
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
      system: [{ type: "text", text: "Summarize this coding conversation in under 50 characters.\nCapture the task." }],
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
    "a command that it has judged",
    "messages",
    claudeSmall("You are a security monitor.", "<transcript>…", {
      tools: [{ ...bash, name: "classify_result" }],
      tool_choice: { type: "tool", name: "classify_result" },
    }),
    claudeHeaders,
    ["background", "tools"],
  ],
  [
    "its turn with thinking off, where any tool may be called",
    "messages",
    { ...claudeMain, thinking: undefined, tool_choice: { type: "auto" } },
    claudeHeaders,
    ["tools"],
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
        user([{ type: "tool_result", content: [{ type: "document", source: { type: "base64", data: "JVBERi0=" } }] }]),
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
  ["Codex, which offers search in every request", "responses", codex, CODEX, ["tools"]],
  [
    "… also within a program that puts its own name there",
    "responses",
    codex,
    { "user-agent": "Xcode/27.0 (Mac)", "x-codex-turn-metadata": "{}" },
    ["tools"],
  ],
  ["… and uses it now", "responses", { ...codex, input: [...codexTurn, SEARCHED] }, CODEX, ["tools", "web_search"]],
  ["… and used it before", "responses", { ...codex, input: [SEARCHED, ...codexTurn] }, CODEX, ["tools"]],
  ["… and must use it", "responses", { ...codex, tool_choice: { type: "web_search" } }, CODEX, ["tools", "web_search"]],
  ["… and offers nothing else", "responses", { ...codex, tools: [{ type: "web_search" }] }, CODEX, ["web_search"]],
  ["Codex that compacts", "responses", codex, { "x-openai-subagent": "compact" }, ["tools", "web_search"]],
  [
    "Codex's memories",
    "responses",
    codex,
    { "x-openai-subagent": "memory_consolidation" },
    ["background", "tools", "web_search"],
  ],
])("%s", (_, dialect, body, headers, kinds) => {
  const found = facts(dialect, body, headers).kinds;
  expect(found).toEqual(kinds);
  expect(found).toEqual(requestKinds.filter((kind) => found.includes(kind)));
});

/** What was recorded of real ones has the texts' lengths in their places, so it is known by its form alone. */
test.each<[string, Dialect, readonly (readonly string[])[], readonly (readonly string[])[]]>([
  [
    "claude-code",
    "messages",
    [
      ["thinking", "tools"],
      ["thinking", "tools"],
    ],
    [["tools"], ["tools"]],
  ],
  [
    "codex",
    "responses",
    [["tools"], ["tools"]],
    [
      ["tools", "web_search"],
      ["tools", "web_search"],
    ],
  ],
  ["opencode", "chat", [["background", "title"], ["tools"]], [[], ["tools"]]],
  ["qwen-code", "chat", [["tools"], ["tools"]], [["tools"], ["tools"]]],
])("recorded requests of %s", (agent, dialect, kinds, needs) => {
  const requests = recorded(agent).map(({ body, headers }) => facts(dialect, body, headers));
  expect(requests.map((each) => each.kinds)).toEqual(kinds);
  expect(requests.map((each) => each.needs)).toEqual(needs);
  expect(requests.map((each) => each.unsafe)).toEqual([false, false]);
  const session = agent === "qwen-code" ? null : "00000000-0000-4000-8000-000000000000";
  expect(requests.map((each) => each.session)).toEqual([session, session]);
});

/** What agents ask beside the conversation and by others, recorded along a route: of the title the form alone is left. */
test.each<[string, Dialect, readonly (readonly string[])[]]>([
  ["claude-code-side", "messages", [["subagent", "thinking", "tools"], ["web_search"]]],
  [
    "opencode-side",
    "chat",
    [
      ["background", "title", "thinking"],
      ["subagent", "tools"],
    ],
  ],
])("recorded requests of %s", (agent, dialect, kinds) => {
  const requests = recorded(agent).map(({ body, headers }) => facts(dialect, body, headers));
  expect(requests.map((each) => each.kinds)).toEqual(kinds);
  expect(requests.map((each) => each.unsafe)).toEqual([false, false]);
});
