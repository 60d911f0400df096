import { carry } from "../../../../gateway/codecs/carried-thinking.ts";
import { describe, expect, it } from "vitest";
import { messagesFor, translated } from "./translated.ts";
import { functionCall, modelTurn, systemTurn, textBlock, toolTurn, userTurn } from "../support/blocks.ts";

const user = (text: string) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const said = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const thought = (text: string) => ({ type: "reasoning", id: "rs", summary: [{ type: "summary_text", text }] });
const call = (id: string) => ({ type: "function_call", call_id: id, name: "f", arguments: '{"a":1}' });
const output = (id: string, value: unknown) => ({ type: "function_call_output", call_id: id, output: value });
const chatCall = (id: string) => functionCall(id, "f", '{"a":1}');

describe("system messages", () => {
  it("put instructions and leading developer messages into one", () => {
    const input = [{ role: "developer", content: "b" }, systemTurn("c"), user("hi")];
    expect(translated({ instructions: "a", input }).body["messages"]).toEqual([
      systemTurn("a\n\nb\n\nc"),
      userTurn("hi"),
    ]);
  });

  it("stay where they stand later on", () => {
    expect(messagesFor(user("hi"), { role: "developer", content: "new rule" }, user("go"))).toEqual([
      userTurn("hi"),
      systemTurn("new rule"),
      userTurn("go"),
    ]);
  });

  it("take instructions that are items", () => {
    expect(translated({ instructions: [{ role: "developer", content: "a" }] }).body["messages"]).toEqual([
      systemTurn("a"),
      userTurn("hi"),
    ]);
  });
});

describe("an assistant's turn", () => {
  it("is one message with the text before the calls", () => {
    expect(
      messagesFor(user("x"), said("Let me see."), call("1"), call("2"), output("2", "b"), output("1", "a")),
    ).toEqual([
      userTurn("x"),
      { role: "assistant", content: "Let me see.", tool_calls: [chatCall("1"), chatCall("2")] },
      toolTurn("1", "a"),
      toolTurn("2", "b"),
    ]);
  });

  it("is another one after each result", () => {
    expect(messagesFor(user("x"), call("1"), output("1", "a"), call("2"), output("2", "b"))).toEqual([
      userTurn("x"),
      { role: "assistant", content: null, tool_calls: [chatCall("1")] },
      toolTurn("1", "a"),
      { role: "assistant", content: null, tool_calls: [chatCall("2")] },
      toolTurn("2", "b"),
    ]);
  });

  it("has its results directly after its calls, whatever was said in between", () => {
    expect(messagesFor(user("x"), call("1"), { role: "developer", content: "note" }, output("1", "a"))).toEqual([
      userTurn("x"),
      { role: "assistant", content: null, tool_calls: [chatCall("1")] },
      toolTurn("1", "a"),
      systemTurn("note"),
    ]);
  });

  it("tells the results of calls with the same id apart by their order", () => {
    expect(messagesFor(user("x"), call("0"), output("0", "first"), call("0"), output("0", "second"))).toEqual([
      userTurn("x"),
      { role: "assistant", content: null, tool_calls: [chatCall("0")] },
      toolTurn("0", "first"),
      { role: "assistant", content: null, tool_calls: [chatCall("0")] },
      toolTurn("0", "second"),
    ]);
  });

  it("keeps two messages in a row apart, and a refusal as what was said", () => {
    const refusal = modelTurn([{ type: "refusal", refusal: "No." }]);
    expect(messagesFor(user("x"), said("a"), refusal)).toEqual([userTurn("x"), modelTurn("a"), modelTurn("No.")]);
  });
});

describe("reasoning", () => {
  it("goes back with the calls that it led to", () => {
    expect(messagesFor(user("x"), thought("first"), thought("then"), call("1"), output("1", "a"))).toMatchObject([
      {},
      { role: "assistant", reasoning_content: "first\n\nthen", tool_calls: [chatCall("1")] },
      {},
    ]);
  });

  it("prefers the full text to its summary", () => {
    const item = { ...thought("short"), content: [{ type: "reasoning_text", text: "all of it" }] };
    expect(messagesFor(user("x"), item, call("1"))).toMatchObject([{}, { reasoning_content: "all of it" }]);
  });

  it("goes back next to a plain answer, and is left out where its owner has sealed it", () => {
    const sealed = { type: "reasoning", id: "rs", summary: [], encrypted_content: "gAAAA" };
    expect(messagesFor(user("x"), thought("hm"), said("a"), user("y"), sealed, call("1"))).toEqual([
      userTurn("x"),
      { role: "assistant", content: "a", reasoning_content: "hm" },
      userTurn("y"),
      { role: "assistant", content: null, tool_calls: [chatCall("1")] },
    ]);
  });

  it("brings back what its provider put next to it", () => {
    const details = [{ type: "reasoning.encrypted", data: "abc", index: 0 }];
    const item = { ...thought("hm"), encrypted_content: carry({ isReasoning: true, details }) };
    expect(messagesFor(user("x"), item, call("1"))).toMatchObject([
      {},
      { reasoning: "hm", reasoning_details: details, tool_calls: [chatCall("1")] },
    ]);
  });

  it("is left out where it is only referred to, as the Vercel AI SDK does between its calls", () => {
    expect(messagesFor(user("x"), { type: "item_reference", id: "rs_1" }, call("1"), output("1", "a"))).toEqual([
      userTurn("x"),
      { role: "assistant", content: null, tool_calls: [chatCall("1")] },
      toolTurn("1", "a"),
    ]);
  });

  it("does not part two parallel calls from their results", () => {
    expect(
      messagesFor(user("x"), thought("a"), call("1"), thought("b"), call("2"), output("1", "r1"), output("2", "r2")),
    ).toEqual([
      userTurn("x"),
      { role: "assistant", content: null, reasoning_content: "a", tool_calls: [chatCall("1")] },
      toolTurn("1", "r1"),
      { role: "assistant", content: null, reasoning_content: "b", tool_calls: [chatCall("2")] },
      toolTurn("2", "r2"),
    ]);
  });
});

describe("results", () => {
  it("that answer no call become user messages", () => {
    expect(messagesFor(user("x"), output("gone", "late"))).toEqual([
      userTurn("x"),
      userTurn([textBlock("The tool call gone was answered:"), textBlock("late")]),
    ]);
  });

  it("with files follow in a message of the user, after all results", () => {
    const parts = [{ type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" }];
    expect(messagesFor(user("x"), call("1"), call("2"), output("1", parts), output("2", "b"))).toEqual([
      userTurn("x"),
      { role: "assistant", content: null, tool_calls: [chatCall("1"), chatCall("2")] },
      toolTurn("1", "What else the tool returned is in the next message of the user."),
      toolTurn("2", "b"),
      userTurn([
        textBlock("Returned by the tool call 1:"),
        { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" } },
      ]),
    ]);
  });

  it("carry Gemini's thought signature back to the call that it came with", () => {
    const id = "call_1__thought_c2lnbmF0dXJl";
    expect(messagesFor(user("x"), call(id), output(id, "a"))).toEqual([
      userTurn("x"),
      {
        role: "assistant",
        content: null,
        tool_calls: [{ ...chatCall("call_1"), extra_content: { google: { thought_signature: "c2lnbmF0dXJl" } } }],
      },
      toolTurn("call_1", "a"),
    ]);
  });
});

it("leaves out items that only mean something at OpenAI, and parts without a counterpart", () => {
  const parts = [
    { type: "input_text", text: "a" },
    { type: "computer_screenshot", image_url: "x" },
    { type: "input_audio", input_audio: { data: "AA", format: "wav" } },
  ];
  expect(
    messagesFor(
      { type: "web_search_call", id: "ws_1", status: "completed" },
      { type: "local_shell_call", call_id: "1", action: {} },
      { type: "local_shell_call_output", call_id: "1", output: "x" },
      userTurn(parts),
      userTurn([]),
    ),
  ).toEqual([userTurn([textBlock("a"), { type: "input_audio", input_audio: { data: "AA", format: "wav" } }])]);
});
