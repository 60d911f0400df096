import { expect, test } from "vitest";
import { requestKinds } from "../../../../gateway/contract/routed.ts";
import { chat, facts, hi, PNG, titleSchema, user } from "./client-requests.ts";
import type { Dialect, Fields, Headers } from "./client-requests.ts";

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
