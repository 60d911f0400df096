import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newParts, trimPart } from "../../../../gateway/core/sessions/new-parts.ts";
import { listRequestParts, type Part } from "../../../../gateway/core/sessions/request-parts.ts";
import { listResponseParts } from "../../../../gateway/core/sessions/response-parts.ts";
import { recorded } from "../routes/client-requests.ts";
import {
  functionCall,
  imagePart,
  modelTurn,
  systemTurn,
  textBlock,
  thinkingBlock,
  toolResult,
  toolTurn,
  toolUse,
  userTurn,
} from "../../codecs/support/blocks.ts";

type Short = readonly [role: string, kind: string, name: string, text: string];
const short = (parts: readonly Part[]): Short[] => parts.map(({ role, kind, name, text }) => [role, kind, name, text]);

const call: Short = ["assistant", "call", "Read", '{"path":"a.ts"}'];
const result: Short = ["tool", "result", "Read", "let a;\nlet b;"];

test.each<[string, Record<string, unknown>, readonly Short[]]>([
  [
    "Anthropic's",
    {
      tools: [{ name: "Read" }, { type: "web_search_20250305", name: "web_search" }],
      system: [textBlock("x-anthropic-billing-header: cc_version=2;"), textBlock("You code.")],
      messages: [
        userTurn("Go"),
        systemTurn("A note"),
        modelTurn([
          thinkingBlock("Hm", "s"),
          { type: "redacted_thinking", data: "x" },
          textBlock("I look."),
          toolUse("t1", "Read", { path: "a.ts" }),
        ]),
        userTurn([
          toolResult("t1", [
            textBlock("let a;"),
            textBlock("let b;"),
            { type: "image", source: { type: "base64", data: "x" } },
          ]),
        ]),
      ],
    },
    [
      ["system", "tools", "", "Read, web_search"],
      ["system", "text", "", "You code."],
      ["user", "text", "", "Go"],
      ["system", "text", "", "A note"],
      ["assistant", "reasoning", "", "Hm"],
      ["assistant", "text", "", "I look."],
      call,
      ["tool", "result", "Read", "let a;\nlet b;\n"],
      ["tool", "medium", "image", ""],
    ],
  ],
  [
    "chat's",
    {
      tools: [{ type: "function", function: { name: "Read" } }],
      messages: [
        { role: "developer", content: "You code." },
        userTurn([textBlock("Go"), imagePart("data:")]),
        {
          role: "assistant",
          content: null,
          reasoning_content: "Hm",
          tool_calls: [functionCall("c1", "Read", '{"path":"a.ts"}')],
        },
        toolTurn("c1", [textBlock("let a;\nlet b;")]),
      ],
    },
    [
      ["system", "tools", "", "Read"],
      ["system", "text", "", "You code."],
      ["user", "text", "", "Go"],
      ["user", "medium", "image_url", ""],
      ["assistant", "reasoning", "", "Hm"],
      call,
      result,
    ],
  ],
  [
    "Responses'",
    {
      tools: [{ type: "web_search" }, { type: "namespace", name: "mcp__gw", tools: [] }],
      instructions: "You code.",
      input: [
        { type: "message", role: "user", content: [{ type: "input_text", text: "Go" }] },
        { type: "reasoning", summary: [{ type: "summary_text", text: "Hm" }], encrypted_content: "x" },
        { type: "function_call", call_id: "c1", name: "Read", arguments: '{"path":"a.ts"}' },
        { type: "function_call_output", call_id: "c1", output: "let a;\nlet b;" },
        { type: "local_shell_call", call_id: "c2", action: { command: ["ls"] } },
        modelTurn([{ type: "output_text", text: "Done" }]),
      ],
    },
    [
      ["system", "tools", "", "web_search, mcp__gw"],
      ["system", "text", "", "You code."],
      ["user", "text", "", "Go"],
      ["assistant", "reasoning", "", "Hm"],
      call,
      result,
      ["assistant", "call", "local_shell", '{"command":["ls"]}'],
      ["assistant", "text", "", "Done"],
    ],
  ],
  ["a text alone", { input: "Go" }, [["user", "text", "", "Go"]]],
])("a request says, in %s words", (_, body, expected) => {
  expect(short(listRequestParts(body))).toEqual(expected);
});

test.each(["claude-code", "codex", "opencode", "qwen-code"])(
  "recorded requests of %s have their calls and results",
  (agent) => {
    const [, second] = recorded(agent).map(({ body }) => listRequestParts(body));
    const kinds = new Set(second?.map(({ role, kind }) => `${role} ${kind}`));
    const calls = agent === "opencode" ? [] : ["assistant call", "tool result"];
    for (const kind of ["system tools", "system text", "user text", ...calls]) expect(kinds).toContain(kind);
    for (const part of second ?? []) if (part.kind === "result") expect(part.name).not.toBe("");
  },
);

const events = (...bodies: readonly object[]): string =>
  bodies.map((body) => `event: x\ndata: ${JSON.stringify(body)}\n\n`).join("");
const delta = (value: object): object => ({ object: "chat.completion.chunk", choices: [{ index: 0, delta: value }] });

const EXPECTED: readonly Short[] = [
  ["assistant", "reasoning", "", "Hm, yes"],
  ["assistant", "text", "", "I look."],
  call,
];

test.each<[string, string, string, readonly Short[]]>([
  [
    "whole, Anthropic's",
    "application/json",
    JSON.stringify({
      content: [
        { type: "thinking", thinking: "Hm, yes" },
        textBlock("I look."),
        toolUse("t", "Read", { path: "a.ts" }),
      ],
    }),
    EXPECTED,
  ],
  [
    "streamed, Anthropic's",
    "text/event-stream; charset=utf-8",
    events(
      { type: "message_start", message: { content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm, " } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "yes" } },
      { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "s" } },
      { type: "content_block_start", index: 1, content_block: textBlock("") },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "I look." } },
      { type: "content_block_start", index: 2, content_block: toolUse("t", "Read", {}) },
      { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"path":' } },
      { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '"a.ts"}' } },
      { type: "message_stop" },
    ),
    EXPECTED,
  ],
  [
    "whole, chat's",
    "application/json",
    JSON.stringify({
      choices: [
        {
          message: {
            content: "I look.",
            reasoning_content: "Hm, yes",
            tool_calls: [{ id: "c", function: { name: "Read", arguments: '{"path":"a.ts"}' } }],
          },
        },
      ],
    }),
    EXPECTED,
  ],
  [
    "streamed, chat's",
    "text/event-stream",
    events(
      delta(modelTurn("")),
      delta({ reasoning_content: "Hm, " }),
      delta({ reasoning_content: "yes" }),
      delta({ content: "I " }),
      delta({ content: "look." }),
      delta({ tool_calls: [{ index: 0, id: "c", function: { name: "Read", arguments: '{"path":' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '"a.ts"}' } }] }),
    ),
    EXPECTED,
  ],
  [
    "streamed, Responses'",
    "text/event-stream",
    events(
      { type: "response.created", response: {} },
      {
        type: "response.output_item.done",
        output_index: 0,
        item: { type: "reasoning", summary: [{ type: "summary_text", text: "Hm, yes" }] },
      },
      { type: "response.output_text.delta", output_index: 1, delta: "I " },
      { type: "response.output_text.delta", output_index: 1, delta: "look." },
      {
        type: "response.output_item.done",
        output_index: 1,
        item: { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
      },
      {
        type: "response.output_item.done",
        output_index: 2,
        item: { type: "function_call", call_id: "c", name: "Read", arguments: '{"path":"a.ts"}' },
      },
    ),
    EXPECTED,
  ],
  [
    "streamed, Responses', broken off",
    "text/event-stream",
    events({ type: "response.output_text.delta", output_index: 0, delta: "I lo" }),
    [["assistant", "text", "", "I lo"]],
  ],
  [
    "an error, OpenAI's",
    "application/json",
    JSON.stringify({ error: { message: "No money", code: "insufficient_quota", type: "billing" } }),
    [["assistant", "error", "insufficient_quota", "No money"]],
  ],
  [
    "an error in a stream",
    "text/event-stream",
    events(delta({ content: "I" }), { error: { message: "Gone", type: "overloaded_error" } }),
    [
      ["assistant", "text", "", "I"],
      ["assistant", "error", "overloaded_error", "Gone"],
    ],
  ],
  ["what was cut", "application/json", '{"content":[{"type":"te', []],
  ["what is no JSON", "text/html", "<html>", []],
])("a response says: %s", (_, type, text, expected) => {
  expect(short(listResponseParts(text, type))).toEqual(expected);
});

test("anything is read without failing", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (some, more) => {
      const body = { system: some, tools: more, messages: [some, userTurn(more)], input: some };
      for (const part of listRequestParts(body)) expect(typeof part.text).toBe("string");
      const event = { type: "content_block_start", index: 0, content_block: some, choices: [{ delta: more }] };
      for (const part of listResponseParts(events(event, { item: some }), "text/event-stream")) {
        expect(typeof part.text).toBe("string");
      }
    }),
  );
});

describe("what is new", () => {
  const text = (words: string): Part => ({ role: "user", kind: "text", name: "", text: words });

  test("is what was not there, or not as often", () => {
    const before = ["a", "b", "b"].map(text);
    expect(newParts(before, ["b", "a", "b", "b", "c"].map(text))).toEqual(["b", "c"].map(text));
    expect(newParts([], before)).toEqual(before);
    expect(newParts(before, [{ ...text("a"), role: "assistant" }])).toHaveLength(1);
  });

  test("is shown by its beginning where it is long", () => {
    expect(trimPart(text("a".repeat(20_000)))).toMatchObject({ cut: 0 });
    const { text: shown, cut } = trimPart(text("a".repeat(19_999) + "😀".repeat(5)));
    expect([shown.length, cut, shown.isWellFormed()]).toEqual([20_000, 9, true]);
  });
});

test("a response of Google's says the same whole and streamed, its texts of one kind joined", () => {
  const chunk = (...parts: readonly object[]) => ({ candidates: [{ content: { role: "model", parts } }] });
  const chunks = [
    chunk({ text: "H", thought: true }),
    chunk({ text: "m", thought: true }),
    chunk({ text: "I loo" }),
    chunk({ text: "k." }),
    chunk({ functionCall: { name: "Read", args: { path: "a.ts" } } }),
    chunk({ text: "" }),
  ];
  const streamed = chunks.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const whole = chunk(
    { text: "Hm", thought: true },
    { text: "I look." },
    { functionCall: { name: "Read", args: { path: "a.ts" } } },
  );
  const said = [["assistant", "reasoning", "", "Hm"], ["assistant", "text", "", "I look."], call];
  expect(short(listResponseParts(streamed, "text/event-stream"))).toEqual(said);
  expect(short(listResponseParts(JSON.stringify(whole), "application/json"))).toEqual(said);
});
