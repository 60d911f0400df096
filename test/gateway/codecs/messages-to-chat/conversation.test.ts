import { withSignature } from "../../../../gateway/codecs/messages-to-chat/tool-ids.ts";
import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { chatBodyOf, refusalOf } from "../support/translating.ts";

const messagesOf = (...messages: readonly Document[]): unknown => chatBodyOf({ messages })["messages"];
const user = (...content: readonly unknown[]): Document => ({ role: "user", content });
const assistant = (...content: readonly unknown[]): Document => ({ role: "assistant", content });
const call = (id: string, name = "Read", input: unknown = {}): Document => ({ type: "tool_use", id, name, input });
const result = (id: string, content: unknown, rest: Document = {}): Document => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...rest,
});
const text = (words: string): Document => ({ type: "text", text: words });
const PNG = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
const PNG_PART = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };

describe("the system prompt", () => {
  const systemOf = (system: unknown): unknown => (chatBodyOf({ system })["messages"] as readonly Document[])[0];
  const billing = "x-anthropic-billing-header: cc_version=2.1.329.000; cc_entrypoint=sdk-cli;";

  it.each<[string, unknown, string]>([
    ["a string", "Be brief.", "Be brief."],
    [
      "blocks, joined",
      [text("Be brief."), { ...text("Be kind."), cache_control: { type: "ephemeral" } }],
      "Be brief.\n\nBe kind.",
    ],
    ["blocks behind the billing line", [text(billing), text("Be brief.")], "Be brief."],
    ["a string behind the billing line", `${billing}\nBe brief.\n\nBe kind.`, "Be brief.\n\nBe kind."],
    ["a block that begins with the billing line", [text(`${billing}\n\nBe brief.`)], "Be brief."],
  ])("is one leading message: %s", (_, system, content) => {
    expect(systemOf(system)).toEqual({ role: "system", content });
  });

  it.each([[null], [""], [[]], [[text(billing)]], [billing]])("is left out where nothing is said: %j", (system) => {
    expect(chatBodyOf({ system })["messages"]).toEqual([{ role: "user", content: "Hi" }]);
  });

  it("keeps the billing line of Claude Code from other providers wherever it stands", () => {
    const body = chatBodyOf({
      system: [text(billing)],
      messages: [user(text("Hi")), { role: "system", content: billing }],
    });
    expect(JSON.stringify(body)).not.toContain("billing-header");
  });
});

describe("a system message inside the conversation", () => {
  it("becomes a reminder in the user's turn, as a string and as blocks", () => {
    const reminder = text("<system-reminder>\nEnvironment: test\n</system-reminder>");
    for (const content of ["Environment: test", [text("Environment: test")]]) {
      expect(messagesOf(user(text("Hi")), { role: "system", content, output_config: { effort: "medium" } })).toEqual([
        { role: "user", content: [text("Hi"), reminder] },
      ]);
    }
  });

  it("does not come between a call and its result", () => {
    expect(
      messagesOf(user(text("Hi")), assistant(call("a")), { role: "system", content: "Later" }, user(result("a", "ok"))),
    ).toMatchObject([
      { role: "user" },
      { role: "assistant", tool_calls: [{ id: "a" }] },
      { role: "tool", tool_call_id: "a", content: "ok" },
      { role: "user", content: "<system-reminder>\nLater\n</system-reminder>" },
    ]);
  });

  it("is not wrapped twice", () => {
    const wrapped = "<system-reminder>\nOnce\n</system-reminder>";
    expect(messagesOf({ role: "user", content: "Hi" }, { role: "system", content: wrapped })).toEqual([
      { role: "user", content: [text("Hi"), text(wrapped)] },
    ]);
  });
});

describe("a user's turn", () => {
  it.each<[string, readonly unknown[], unknown]>([
    ["one text as a plain string", [text("Hi")], "Hi"],
    [
      "several texts as parts, without cache control",
      [text("A"), { ...text("B"), cache_control: { type: "ephemeral" } }],
      [text("A"), text("B")],
    ],
    ["no empty texts", [text(""), text("A")], "A"],
    ["an image by its data", [PNG, text("What is it?")], [PNG_PART, text("What is it?")]],
    [
      "an image by URL",
      [{ type: "image", source: { type: "url", url: "https://x/y.png" } }],
      [{ type: "image_url", image_url: { url: "https://x/y.png" } }],
    ],
    [
      "a PDF as a file",
      [
        {
          type: "document",
          title: "Paper.pdf",
          source: { type: "base64", media_type: "application/pdf", data: "JVBERg==" },
        },
      ],
      [{ type: "file", file: { filename: "Paper.pdf", file_data: "data:application/pdf;base64,JVBERg==" } }],
    ],
    [
      "a text document as text",
      [{ type: "document", title: "Notes", source: { type: "text", media_type: "text/plain", data: "abc" } }],
      "Notes\n\nabc",
    ],
    [
      "a document of blocks as its parts",
      [{ type: "document", source: { type: "content", content: [text("abc"), PNG] } }],
      [text("abc"), PNG_PART],
    ],
    [
      "a search result as text",
      [{ type: "search_result", source: "https://x", title: "Title", content: [text("one"), text("two")] }],
      "Title (https://x)\n\none\ntwo",
    ],
    ["nothing of blocks that only Anthropic knows", [{ type: "container_upload", file_id: "f" }, text("A")], "A"],
  ])("has %s", (_, content, expected) => {
    expect(messagesOf(user(...content))).toEqual([{ role: "user", content: expected }]);
  });

  it.each<[string, Document, string]>([
    [
      "an image of the Files API",
      { type: "image", source: { type: "file", file_id: "file_1" } },
      '"image" in \'messages\' has a source of type "file"',
    ],
    [
      "a document by URL",
      { type: "document", source: { type: "url", url: "https://x/y.pdf" } },
      '"document" in \'messages\' has a source of type "url"',
    ],
  ])("is refused in words with %s", (_, block, words) => {
    const refusal = refusalOf(() => messagesOf(user(block)));
    expect(refusal).toMatchObject({ code: "unsupported_value", status: 400, details: { param: "messages" } });
    expect(refusal.message).toContain(words);
  });

  it("is one message where the client sent several", () => {
    expect(messagesOf({ role: "user", content: "A" }, { role: "user", content: "B" })).toEqual([
      { role: "user", content: [text("A"), text("B")] },
    ]);
  });
});

describe("tool results", () => {
  const toolTurn = (...content: readonly unknown[]): readonly unknown[] =>
    (
      messagesOf(user(text("Go")), assistant(call("a"), call("b", "Bash")), user(...content)) as readonly unknown[]
    ).slice(2);

  it("come first, each in a message of its own, then the rest of the turn", () => {
    expect(toolTurn(text("And now?"), result("a", "one"), result("b", [text("two"), text("three")]))).toEqual([
      { role: "tool", tool_call_id: "a", content: "one" },
      { role: "tool", tool_call_id: "b", content: "two\nthree" },
      { role: "user", content: "And now?" },
    ]);
  });

  it.each<[string, unknown, Document, string]>([
    ["of nothing", undefined, {}, ""],
    ["that failed", "no such file", { is_error: true }, "Error: no such file"],
    [
      "that failed and says so",
      "<tool_use_error>bad</tool_use_error>",
      { is_error: true },
      "<tool_use_error>bad</tool_use_error>",
    ],
    ["that did not fail", "fine", { is_error: false }, "fine"],
    [
      "with a tool reference",
      [{ type: "tool_reference", tool_name: "mcp__gw__echo" }],
      {},
      "Tool found: mcp__gw__echo",
    ],
  ])("%s", (_, content, rest, expected) => {
    expect(toolTurn(result("a", content, rest), result("b", "x"))[0]).toEqual({
      role: "tool",
      tool_call_id: "a",
      content: expected,
    });
  });

  it("hand their images to the user's message after all results, with a word on the call", () => {
    expect(toolTurn(result("a", [text("A picture:"), PNG]), result("b", "x"), text("Look."))).toEqual([
      {
        role: "tool",
        tool_call_id: "a",
        content: "A picture:\nWhat this call returned beside text follows in the next message.",
      },
      { role: "tool", tool_call_id: "b", content: "x" },
      { role: "user", content: [text("Returned by tool call a (Read):"), PNG_PART, text("Look.")] },
    ]);
  });

  it("whose call is not in the turn before are kept as words", () => {
    expect(messagesOf(user(result("gone", "late news"), text("Go on")))).toEqual([
      { role: "user", content: [text("Result of tool call gone:\nlate news"), text("Go on")] },
    ]);
  });
});

describe("an assistant's turn", () => {
  const turn = (...content: readonly unknown[]): unknown =>
    (messagesOf(user(text("Hi")), assistant(...content), user(text("Go on"))) as readonly unknown[])[1];

  it("has its calls with JSON arguments, and null instead of no text", () => {
    expect(turn(call("toolu_01A", "get_weather", { city: "Paris" }))).toEqual({
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "toolu_01A", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
      ],
    });
  });

  it("has its thinking as reasoning, without signature, and no redacted thinking", () => {
    expect(
      turn(
        { type: "thinking", thinking: "Let me", signature: "EqQB" },
        { type: "redacted_thinking", data: "xyz" },
        { type: "thinking", thinking: "", signature: "omitted" },
        text("Hello"),
      ),
    ).toEqual({ role: "assistant", content: "Hello", reasoning_content: "Let me" });
  });

  it("joins texts that citations cut, and parts those that something else did", () => {
    expect(turn(text("It is "), text("15 °C"), call("a"), text("Done."))).toMatchObject({
      content: "It is 15 °C\n\nDone.",
    });
  });

  it("leaves out what Anthropic's own tools did", () => {
    expect(
      turn(
        { type: "server_tool_use", id: "srv", name: "web_search", input: {} },
        { type: "web_search_tool_result", tool_use_id: "srv", content: [] },
        text("Found."),
      ),
    ).toEqual({ role: "assistant", content: "Found." });
  });

  it("is left out where nothing of it can be said", () => {
    expect(messagesOf(user(text("A")), assistant({ type: "redacted_thinking", data: "x" }), user(text("B")))).toEqual([
      { role: "user", content: "A" },
      { role: "user", content: "B" },
    ]);
  });

  it("is one message where the client sent several", () => {
    expect(
      messagesOf(user(text("A")), assistant(call("a")), assistant(call("b")), user(result("a", "1"), result("b", "2"))),
    ).toMatchObject([
      { role: "user" },
      { role: "assistant", tool_calls: [{ id: "a" }, { id: "b" }] },
      { role: "tool", tool_call_id: "a" },
      { role: "tool", tool_call_id: "b" },
    ]);
  });
});

describe("ids of calls", () => {
  it("are those of the provider again, in the call and in its result", () => {
    const [, said, answered] = messagesOf(
      user(text("Hi")),
      assistant(call(withSignature("functions.Bash:0", null))),
      user(result(withSignature("functions.Bash:0", null), "ok")),
    ) as readonly Document[];
    const [made] = (said?.["tool_calls"] ?? []) as readonly Document[];
    expect(made?.["id"]).toBe("functions.Bash:0");
    expect(answered).toEqual({ role: "tool", tool_call_id: made?.["id"], content: "ok" });
  });

  it("give Gemini's thought signature back to its call", () => {
    const id = "call_1__thought_AbC-_w";
    expect(messagesOf(user(text("Hi")), assistant(call(id)), user(result(id, "ok")))).toMatchObject([
      { role: "user" },
      { tool_calls: [{ id: "call_1", extra_content: { google: { thought_signature: "AbC+/w==" } } }] },
      { role: "tool", tool_call_id: "call_1", content: "ok" },
    ]);
  });
});
