import { expect, test } from "vitest";
import { requestKinds } from "../../../../gateway/contract/routed.ts";
import { chat, facts, hi, PNG, titleSchema, user, type Dialect, type Fields, type Headers } from "./client-requests.ts";

const QWEN: Headers = { "user-agent": "QwenCode/0.24.4 (linux; x64)" };
const TITLE = ["background", "title"];
const titledBy = (content: string): Fields => chat([{ role: "system", content }, ...hi]);
const OPENCODE: Headers = { "user-agent": "opencode/1.18.33 ai-sdk/provider-utils/4.0.23" };

test.each<[string, Dialect, Fields, Headers, readonly string[]]>([
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
  ["no effort, as Google writes it", "chat", chat(hi, { reasoning_effort: "NONE" }), {}, []],
  ["OpenRouter's reasoning, off", "chat", chat(hi, { reasoning: { enabled: false, effort: "high" } }), {}, []],
  ["DashScope's thinking, off", "chat", chat(hi, { enable_thinking: false, reasoning_effort: "high" }), {}, []],
  [
    "vLLM's thinking beside reasoning that says nothing of it",
    "chat",
    chat(hi, { reasoning: { summary: "auto" }, chat_template_kwargs: { enable_thinking: true } }),
    {},
    ["thinking"],
  ],
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
    "what opencode asks later on without tools",
    "chat",
    chat([...hi, { role: "assistant", content: "a" }, user("Sum up.")]),
    OPENCODE,
    ["background"],
  ],
  ["Qwen Code without tools", "chat", chat(hi), { "user-agent": "QwenCode/0.24.4 (linux; x64)" }, ["background"]],
  ["another client without tools", "chat", chat(hi), { "user-agent": "OpenAI/JS 7.55.0" }, []],
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
    "a title in Qwen Code, by the tool that it must respond with",
    "chat",
    chat(
      [
        {
          role: "system",
          content:
            "Generate a concise, sentence-case title (3-7 words) of what this programming-assistant session is about.",
        },
        user("Generate the session title now. Populate the schema with a single short title string."),
      ],
      { tools: [{ type: "function", function: { name: "respond_in_schema" } }], tool_choice: "required" },
    ),
    QWEN,
    ["background", "title", "tools"],
  ],
  [
    "what else Qwen Code wants to know",
    "messages",
    { messages: hi, tools: [{ name: "respond_in_schema", input_schema: {} }], thinking: { type: "adaptive" } },
    QWEN,
    ["background", "thinking", "tools"],
  ],
  [
    "a function that is called so, of another client",
    "chat",
    chat(hi, { tools: [{ type: "function", function: { name: "respond_in_schema" } }] }),
    {},
    ["tools"],
  ],
  [
    "… and of Qwen Code among others",
    "chat",
    chat(hi, { tools: [{ type: "function", function: { name: "respond_in_schema" } }, { type: "function" }] }),
    QWEN,
    ["tools"],
  ],
  [
    "Qwen Code that compacts",
    "chat",
    chat([
      { role: "system", content: "You are the component that summarizes a conversation when its context window is …" },
      ...hi,
      { role: "assistant", content: "Hello" },
      user("First, reason in your <analysis> block. Then, produce the <state_snapshot> XML."),
    ]),
    QWEN,
    [],
  ],
  [
    "opencode that compacts",
    "chat",
    chat([
      { role: "system", content: "You are a context summarization agent. You are given a conversation between …" },
      user("Here is the conversation so far:\n\n<conversation>\n[User]: hi\n</conversation>\n\nCreate a new …"),
    ]),
    OPENCODE,
    [],
  ],
  [
    "… where the context has overflowed",
    "chat",
    chat([user("Here is the conversation so far:\n\n<conversation>\n[User]: write a title for this chat")]),
    OPENCODE,
    [],
  ],
  [
    "GitHub Copilot's title",
    "chat",
    titledBy("You are an expert in crafting pithy titles for chatbot conversations."),
    {},
    TITLE,
  ],
  [
    "crush's",
    "chat",
    titledBy("you will generate a short title based on the first message a user begins a conversation with"),
    {},
    TITLE,
  ],
  [
    "LobeChat's",
    "chat",
    titledBy("Generate a concise title that captures the essence of the conversation."),
    {},
    TITLE,
  ],
  [
    "of a thread",
    "chat",
    titledBy("You will generate a short title for a chat thread from its first message."),
    {},
    TITLE,
  ],
  ["a person who wants a title", "chat", chat([user("Write a title for my blog post on the history of tea")]), {}, []],
  [
    "an assistant that is told of titles",
    "chat",
    chat([{ role: "system", content: "You are a helpful assistant. Use headings and titles where they help." }, ...hi]),
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
  expect(facts("chat", chat([{ role: "system", content }, ...hi])).kinds).toEqual([]);
});
