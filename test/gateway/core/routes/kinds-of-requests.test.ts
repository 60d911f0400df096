import { expect, test } from "vitest";
import { requestKinds } from "../../../../gateway/contract/routed.ts";
import { chat, facts, hi, PNG, titleSchema, user, type Dialect, type Fields, type Headers } from "./client-requests.ts";

const QWEN: Headers = { "user-agent": "QwenCode/0.24.4 (linux; x64)" };
const OPENCODE: Headers = { "user-agent": "opencode/1.18.33 ai-sdk/provider-utils/4.0.23" };

const RESPOND = { type: "function", function: { name: "respond_in_schema" } };
const system = (content: string): Fields => ({ role: "system", content });

/** In the order of the contract. */
function kindsOf(dialect: Dialect, body: Fields, headers: Headers = {}): string {
  const found = facts(dialect, body, headers).kinds;
  expect(found).toEqual(requestKinds.filter((kind) => found.includes(kind)));
  return found.join(" ");
}

test.each<[string, Dialect, Fields, kinds: string, Headers?]>([
  [
    "a picture from a function",
    "responses",
    {
      input: [{ type: "function_call_output", call_id: "c", output: [{ type: "input_image", image_url: "data:" }] }],
    },
    "pictures",
  ],
  [
    "what a computer shows",
    "responses",
    { input: [{ type: "computer_call_output", output: { type: "computer_screenshot", image_url: "data:" } }] },
    "pictures",
  ],
  ["a file", "responses", { input: [user([{ type: "input_file", file_id: "file-1" }])] }, "files"],
  ["text alone", "responses", { input: "hi" }, ""],
  ["OpenAI's preview of search", "responses", { input: "hi", tools: [{ type: "web_search_preview" }] }, "web_search"],
  [
    "what else Qwen Code wants to know",
    "messages",
    { messages: hi, tools: [{ name: "respond_in_schema", input_schema: {} }], thinking: { type: "adaptive" } },
    "background thinking tools",
    QWEN,
  ],
  [
    "a schema with a title, of who is not Claude Code",
    "messages",
    { messages: hi, output_config: { format: titleSchema("title") } },
    "",
  ],
  ["nothing at all", "messages", {}, ""],
])("%s", (_, dialect, body, kinds, headers) => {
  expect(kindsOf(dialect, body, headers)).toBe(kinds);
});

/** Messages, or fields next to a greeting. */
test.each<[string, Fields | readonly unknown[], kinds: string, Headers?]>([
  ["chat's search", { web_search_options: {} }, "web_search"],
  ["xAI's search", { search_parameters: { mode: "auto" } }, "web_search"],
  ["… switched off", { search_parameters: { mode: "off" } }, ""],
  ["DashScope's search", { enable_search: true }, "web_search"],
  ["OpenRouter's search", { plugins: [{ id: "web" }] }, "web_search"],
  ["… behind the model's name", { model: "openai/gpt-5.4:online" }, "web_search"],
  ["Google's search", { tools: [{ google_search: {} }] }, "web_search"],
  [
    "… in its layer for OpenAI's clients",
    { extra_body: { google: { tools: [{ googleSearch: {} }], thinking_config: { thinking_budget: 99 } } } },
    "thinking web_search",
  ],
  ["Moonshot's search", { tools: [{ type: "builtin_function", function: { name: "$web_search" } }] }, "web_search"],
  ["functions of old", { functions: [{ name: "f" }] }, "tools"],
  ["no tools", { tools: [], functions: [] }, ""],
  ["effort", { reasoning_effort: "low" }, "thinking"],
  ["no effort", { reasoning_effort: "none" }, ""],
  ["OpenRouter's reasoning", { reasoning: { max_tokens: 500 } }, "thinking"],
  ["DashScope's thinking", { enable_thinking: true }, "thinking"],
  ["no effort, as Google writes it", { reasoning_effort: "NONE" }, ""],
  ["OpenRouter's reasoning, off", { reasoning: { enabled: false, effort: "high" } }, ""],
  ["DashScope's thinking, off", { enable_thinking: false, reasoning_effort: "high" }, ""],
  [
    "vLLM's thinking beside reasoning that says nothing of it",
    { reasoning: { summary: "auto" }, chat_template_kwargs: { enable_thinking: true } },
    "thinking",
  ],
  ["DeepSeek's thinking, off", { thinking: { type: "disabled" } }, ""],
  ["vLLM's thinking", { chat_template_kwargs: { enable_thinking: true } }, "thinking"],
  ["a picture", [user([{ type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } }])], "pictures"],
  ["a PDF", [user([{ type: "file", file: { file_data: "data:application/pdf;base64,JVBERi0=" } }])], "files"],
  ["a sound as a file", [user([{ type: "file", file: { file_data: "data:audio/wav;base64,UklG" } }])], ""],
  [
    "opencode's title",
    {
      messages: [
        system("You are a title generator. You output ONLY a thread title. Nothing else."),
        user("Generate a title for this conversation:\n"),
        user('"say ok"'),
      ],
      reasoning_effort: "low",
    },
    "background title thinking",
  ],
  [
    "what opencode asks later on without tools",
    [...hi, { role: "assistant", content: "a" }, user("Sum up.")],
    "background",
    OPENCODE,
  ],
  ["Qwen Code without tools", {}, "background", QWEN],
  ["another client without tools", {}, "", { "user-agent": "OpenAI/JS 7.55.0" }],
  ["opencode's sub-agent", { tools: [{ type: "function" }] }, "subagent tools", { "x-parent-session-id": "p" }],
  [
    "Zed's title",
    [...hi, { role: "assistant", content: "Hello" }, user("Generate a concise 3-7 word title for this conversation.")],
    "background title",
  ],
  [
    "Open WebUI's title",
    [user("### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### …")],
    "background title",
  ],
  [
    "Open WebUI's follow-ups",
    [user("### Task:\nSuggest 3-5 relevant follow-up questions …\n<chat_history>\nUSER: hi\n</chat_history>")],
    "background",
  ],
  [
    "a title in Chinese",
    [...hi, user("使用四到五个字直接返回这句话的简要主题，不要解释。这是会话的标题。")],
    "background title",
  ],
  [
    "who speaks next, in Qwen Code",
    [...hi, user("Analyze *only* the content and structure of your immediately preceding response (your last turn).")],
    "background",
  ],
  [
    "a title in Qwen Code, by the tool that it must respond with",
    {
      messages: [
        system(
          "Generate a concise, sentence-case title (3-7 words) of what this programming-assistant session is about.",
        ),
        user("Generate the session title now. Populate the schema with a single short title string."),
      ],
      tools: [RESPOND],
      tool_choice: "required",
    },
    "background title tools",
    QWEN,
  ],
  ["a function that is called so, of another client", { tools: [RESPOND] }, "tools"],
  ["… and of Qwen Code among others", { tools: [RESPOND, { type: "function" }] }, "tools", QWEN],
  [
    "Qwen Code that compacts",
    [
      system("You are the component that summarizes a conversation when its context window is …"),
      ...hi,
      { role: "assistant", content: "Hello" },
      user("First, reason in your <analysis> block. Then, produce the <state_snapshot> XML."),
    ],
    "",
    QWEN,
  ],
  [
    "opencode that compacts",
    [
      system("You are a context summarization agent. You are given a conversation between …"),
      user("Here is the conversation so far:\n\n<conversation>\n[User]: hi\n</conversation>\n\nCreate a new …"),
    ],
    "",
    OPENCODE,
  ],
  [
    "… where the context has overflowed",
    [user("Here is the conversation so far:\n\n<conversation>\n[User]: write a title for this chat")],
    "",
    OPENCODE,
  ],
  ["a person who wants a title", [user("Write a title for my blog post on the history of tea")], ""],
  [
    "an assistant that is told of titles",
    [system("You are a helpful assistant. Use headings and titles where they help."), ...hi],
    "",
  ],
  [
    "an agent that is told of titles of sessions has tools",
    {
      messages: [system("You write a title for each chat."), ...hi],
      tools: [{ type: "function" }],
    },
    "tools",
  ],
  ["nothing that is right", { messages: [null, 1, { content: [null, 2] }], tools: [null, "x"], thinking: 1 }, ""],
])("%s, of chat", (_, texts, kinds, headers) => {
  expect(kindsOf("chat", Array.isArray(texts) ? chat(texts) : chat(hi, texts as Fields), headers)).toBe(kinds);
});

/** Nothing of a client's: a person asks for something that has a title, or a chat, in it. */
test.each<[string]>([
  ["Write a title for my blog post about chat apps"],
  ["Write a title for this chat app's landing page"],
  ["Create a web page with a title and a chat window"],
  ["Create a React component with props title and chat"],
  ["Generate a title for my conference session on Rust"],
  ["Create a title screen for my game. The session timer is shown below it."],
  ["Write a SQL query that returns title and session_id"],
  ["Return the title of the thread with the most replies"],
  ["Provide the title of each conversation in the following CSV"],
  ["Extract the page title from this HTML and start a new thread for each link"],
  ["生成一个带有标题和聊天窗口的网页"],
])("a turn is no title: %s", (content) => {
  expect(facts("chat", chat([user(content)])).kinds).toEqual([]);
});

test.each<[string]>([
  ["You are a writing assistant that suggests titles. Keep the conversation friendly."],
  ["You create HTML pages with a title, a header and a chat widget."],
  ["You are a helpful assistant.\nConversation title: Holiday plans"],
  ["You are an editor. Write articles with a title and sections. Sessions are recorded."],
  ["You are a SQL helper. Return rows with title and thread columns."],
])("instructions are of no title: %s", (content) => {
  expect(facts("chat", chat([system(content), ...hi])).kinds).toEqual([]);
});

test.each([
  "You are an expert in crafting pithy titles for chatbot conversations.",
  "you will generate a short title based on the first message a user begins a conversation with",
  "Generate a concise title that captures the essence of the conversation.",
  "You will generate a short title for a chat thread from its first message.",
])("instructions are of a title: %s", (content) => {
  expect(kindsOf("chat", chat([system(content), ...hi]))).toBe("background title");
});
