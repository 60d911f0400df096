import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { assembledMessage } from "../support/assembled.ts";
import { chunk, USAGE, piece, calls, eventsOf, messageOf, toolUse } from "../support/chunks.ts";

describe("forms of providers", () => {
  it.each<[string, Document, unknown]>([
    [
      "`reasoning` (Ollama, LM Studio, vLLM, OpenRouter)",
      { reasoning: "hm" },
      [{ type: "thinking", thinking: "hm", signature: "" }],
    ],
    [
      "both names at once",
      { reasoning: "hm", reasoning_content: "hm" },
      [{ type: "thinking", thinking: "hm", signature: "" }],
    ],
    [
      "content as parts (Mistral)",
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
          { type: "text", text: "A" },
        ],
      },
      [
        { type: "thinking", thinking: "hm", signature: "" },
        { type: "text", text: "A" },
      ],
    ],
    ["null content", { content: null }, []],
    [
      "the deprecated function call",
      { function_call: { name: "f", arguments: '{"a":1}' } },
      [toolUse("toolu_id2", "f", { a: 1 })],
    ],
  ])("%s", (_, delta, content) => {
    expect(messageOf(chunk(delta), chunk({}, "stop"))["content"]).toEqual(content);
  });

  it.each<[string, readonly (number | undefined)[]]>([
    ["numbered 0, both of them", [0, 0]],
    ["without index", [undefined, undefined]],
    ["numbered", [0, 1]],
  ])("Gemini: whole calls in one chunk, %s, ending in stop", (_, [first, second]) => {
    const message = messageOf(
      chunk(
        { role: "assistant", tool_calls: [piece(first, "a", "f", '{"a":1}'), piece(second, "b", "f", '{"b":2}')] },
        "stop",
      ),
    );
    expect(message).toMatchObject({
      content: [toolUse("a", "f", { a: 1 }), toolUse("b", "f", { b: 2 })],
      stop_reason: "tool_use",
    });
  });

  it("Gemini: whole calls without ids", () => {
    const message = messageOf(
      calls(piece(0, "", "f", '{"a":1}')),
      calls(piece(0, "", "f", '{"b":2}')),
      chunk({}, "stop"),
    );
    expect(message["content"]).toMatchObject([
      { name: "f", input: { a: 1 } },
      { name: "f", input: { b: 2 } },
    ]);
    expect(new Set((message["content"] as readonly Document[]).map((block) => block["id"])).size).toBe(2);
  });

  it("Gemini: a thought signature goes into the call's id", () => {
    const signed = { ...piece(0, "a", "f", "{}"), extra_content: { google: { thought_signature: "Ab+/" } } };
    expect(messageOf(calls(signed))["content"]).toEqual([toolUse("a__thought_Ab-_", "f", {})]);
  });

  it("id and name in pieces of their own: the block waits for both", () => {
    const events = eventsOf(
      calls(piece(0, "a", undefined, "")),
      calls(piece(0, undefined, undefined, '{"a"')),
      calls(piece(0, undefined, "f", ":1}")),
    );
    expect(assembledMessage(events)["content"]).toEqual([toolUse("a", "f", { a: 1 })]);
  });

  it("a server that does not stream: one chunk with the whole message", () => {
    const whole = {
      choices: [{ index: 0, message: { role: "assistant", content: "A" }, finish_reason: "stop" }],
      usage: USAGE,
    };
    expect(messageOf(whole)).toMatchObject({ content: [{ type: "text", text: "A" }], usage: { output_tokens: 10 } });
  });

  it("several choices: the first one only", () => {
    const other = { ...chunk({}), choices: [{ index: 1, delta: { content: "B" }, finish_reason: "length" }] };
    expect(messageOf(chunk({ content: "A" }), other, chunk({}, "stop"))).toMatchObject({
      content: [{ type: "text", text: "A" }],
      stop_reason: "end_turn",
    });
  });
});
