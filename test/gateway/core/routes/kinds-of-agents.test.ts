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

const SUBAGENT: Headers = { ...claudeHeaders, "x-claude-code-agent-id": "a1" };
const classed = (name: string): Headers => ({ ...claudeHeaders, "x-claude-code-request-class": name });
/** A turn whose session has a parent. */
const childOf = (parent_session_id: string): Fields => ({
  ...claudeMain,
  metadata: { user_id: JSON.stringify({ session_id: SESSION, parent_session_id }) },
});

/** In the order of the contract. */
function kindsOf(dialect: Dialect, body: Fields, headers: Headers = {}): string {
  const found = facts(dialect, body, headers).kinds;
  expect(found).toEqual(requestKinds.filter((kind) => found.includes(kind)));
  return found.join(" ");
}

test("a plain chat has none", () => expect(kindsOf("chat", chat(hi))).toBe(""));

test.each<[string, Fields, kinds: string, Headers?]>([
  ["Claude Code's turn", claudeMain, "thinking tools"],
  ["… with thinking off", { ...claudeMain, thinking: { type: "disabled" } }, "tools"],
  ["… of a sub-agent", claudeMain, "subagent thinking tools", SUBAGENT],
  [
    "… which only the billing line tells",
    { ...claudeMain, system: [billing(" cc_is_subagent=true;"), NAME] },
    "subagent thinking tools",
    {},
  ],
  ["… which only the user's id tells", childOf("p"), "subagent thinking tools", {}],
  ["… which none does that has no parent", childOf(""), "thinking tools", {}],
  ["… which the class of the request tells", claudeMain, "subagent thinking tools", classed("workflow")],
  [
    "a sub-agent without tools is none in the background",
    claudeSmall("You are an agent.", "Do it."),
    "subagent",
    SUBAGENT,
  ],
  [
    "Claude Code's topic",
    claudeSmall(
      "Analyze if this message indicates a new conversation topic. Answer with JSON: 'isNewTopic' and 'title'.",
      "fix the login",
    ),
    "background title",
  ],
  [
    "Claude Code's title of a session",
    claudeSmall(
      "Generate a concise, sentence-case title (3-7 words) that captures the goal of this coding session.",
      "fix the login",
      { output_config: { format: titleSchema("title") } },
    ),
    "background title",
  ],
  [
    "… in other words, by its schema",
    claudeSmall("Name it.", "fix the login", { output_config: { format: titleSchema("title", "branch") } }),
    "background title",
  ],
  [
    "Claude Code 0.2's summary",
    {
      model: "claude-3-5-haiku-20241022",
      max_tokens: 512,
      system: [{ type: "text", text: "Summarize this coding conversation in under 50 characters.\nCapture the task." }],
      messages: [user("Please write a 5-10 word title the following conversation:\n\nUser: hi")],
      temperature: 0,
      metadata: { user_id: `user_abc_account__session_${SESSION}` },
    },
    "background title",
    {},
  ],
  ["Claude Code's look at a page that it has fetched", claudeSmall("", "Web page content: …"), "background"],
  ["… by the name of a route", claudeSmall("", "Web page content: …", { model: "everyday" }), "background"],
  [
    "a command that it has judged",
    claudeSmall("You are a security monitor.", "<transcript>…", {
      tools: [{ ...bash, name: "classify_result" }],
      tool_choice: { type: "tool", name: "classify_result" },
    }),
    "background tools",
  ],
  [
    "its turn with thinking off, where any tool may be called",
    { ...claudeMain, thinking: undefined, tool_choice: { type: "auto" } },
    "tools",
  ],
  [
    "the probe of its quota",
    { model: "claude-haiku-5-5", max_tokens: 1, messages: [user("quota")], metadata: { user_id: USER_ID } },
    "background",
    {},
  ],
  [
    "what might be typed next",
    { ...claudeMain, messages: [...hi, user([{ type: "text", text: "[SUGGESTION MODE: Suggest what …" }])] },
    "background thinking tools",
  ],
  ["what it says to be auxiliary", { ...claudeMain, thinking: undefined }, "background tools", classed("auxiliary")],
  ["what it says to be of the conversation, without tools", claudeSmall("", "hello"), "", classed("main")],
  [
    "a conversation that is compacted goes on with that",
    claudeSmall("You are a helpful AI assistant tasked with summarizing conversations.", "Your task is to create a"),
    "",
  ],
  [
    "… with the tools of the conversation",
    { ...claudeMain, messages: [...hi, user("CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.")] },
    "thinking tools",
  ],
  [
    "Claude Code's search",
    claudeSmall("", "Perform a web search for the query: pelicans", {
      tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 8 }],
      tool_choice: { type: "auto" },
    }),
    "web_search",
  ],
  ["a function that is called so", { messages: hi, tools: [{ ...bash, name: "web_search" }] }, "tools", {}],
  [
    "a picture that a tool has read",
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
    "thinking pictures tools",
  ],
  [
    "a PDF that a tool has read, and a picture",
    {
      messages: [
        user([{ type: "tool_result", content: [{ type: "document", source: { type: "base64", data: "JVBERi0=" } }] }]),
        user([{ type: "image", source: { type: "url", url: "https://example.com/a.png" } }]),
      ],
    },
    "pictures files",
    {},
  ],
  [
    "a document of words, with a picture among them",
    {
      messages: [
        user([{ type: "document", source: { type: "text", data: "words" } }]),
        user([{ type: "document", source: { type: "content", content: [{ type: "image", source: {} }] } }]),
      ],
    },
    "pictures",
    {},
  ],
  ["thinking with a budget", { messages: hi, thinking: { type: "enabled", budget_tokens: 2_000 } }, "thinking", {}],
])("%s", (_, body, kinds, headers = claudeHeaders) => {
  expect(kindsOf("messages", body, headers)).toBe(kinds);
});

test.each<[string, Fields, kinds: string, Headers?]>([
  ["Codex", {}, "tools web_search", { "session-id": SESSION }],
  ["Codex with effort", { reasoning: { effort: "high" } }, "thinking tools web_search"],
  ["Codex's sub-agent", {}, "subagent tools web_search", { "x-openai-subagent": "collab_spawn" }],
  ["… by its parent", {}, "subagent tools web_search", { "x-codex-parent-thread-id": "p" }],
  ["Codex, which offers search in every request", {}, "tools", CODEX],
  [
    "… also within a program that puts its own name there",
    {},
    "tools",
    { "user-agent": "Xcode/27.0 (Mac)", "x-codex-turn-metadata": "{}" },
  ],
  ["… and uses it now", { input: [...codexTurn, SEARCHED] }, "tools web_search", CODEX],
  ["… and used it before", { input: [SEARCHED, ...codexTurn] }, "tools", CODEX],
  ["… and must use it", { tool_choice: { type: "web_search" } }, "tools web_search", CODEX],
  ["… and offers nothing else", { tools: [{ type: "web_search" }] }, "web_search", CODEX],
  ["Codex that compacts", {}, "tools web_search", { "x-openai-subagent": "compact" }],
  ["Codex's memories", {}, "background tools web_search", { "x-openai-subagent": "memory_consolidation" }],
])("%s", (_, more, kinds, headers) => {
  expect(kindsOf("responses", { ...codex, ...more }, headers)).toBe(kinds);
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

/** What agents ask next to the conversation and by others, recorded along a route: of the title the form alone is left. */
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
