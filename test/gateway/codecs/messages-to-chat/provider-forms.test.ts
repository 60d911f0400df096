import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { chunk, piece, calls, messageOf, toolUse } from "../support/chunks.ts";

describe("forms of providers", () => {
  it("Gemini: calls may end in stop", () => {
    const message = messageOf(chunk({ tool_calls: [piece(0, "a", "f", "{}")] }, "stop"));
    expect(message).toMatchObject({ content: [toolUse("a", "f", {})], stop_reason: "tool_use" });
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

  it("several choices: the first one only", () => {
    const other = { ...chunk({}), choices: [{ index: 1, delta: { content: "B" }, finish_reason: "length" }] };
    expect(messageOf(chunk({ content: "A" }), other, chunk({}, "stop"))).toMatchObject({
      content: [{ type: "text", text: "A" }],
      stop_reason: "end_turn",
    });
  });
});

it("OpenRouter: chunks of text with empty details open no thought", () => {
  const empty = { reasoning: null, reasoning_details: [] };
  const message = messageOf(
    chunk({ content: "One ", ...empty }),
    chunk({ content: "two", ...empty }),
    chunk({}, "stop"),
  );
  expect(message["content"]).toEqual([{ type: "text", text: "One two" }]);
});
