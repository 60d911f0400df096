import { describe, expect, it } from "vitest";
import { ItemMemory, type ResponsesContext } from "../../../../gateway/codecs/responses-to-chat/item-memory.ts";
import { responsesToChat } from "../../../../gateway/codecs/responses-to-chat/translate.ts";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { answered, chunk, contextOf, eventsOf, finalOf } from "./translated.ts";

const item = (id: string, text: string) => ({ id, type: "message", role: "assistant", content: text });

describe("the memory of items", () => {
  it("finds what was kept, and forgets the oldest first when it is full", () => {
    const one = JSON.stringify(item("a", "x".repeat(50))).length;
    const memory = new ItemMemory(2 * one);
    for (const id of ["a", "b"]) memory.keep(item(id, "x".repeat(50)));
    expect([memory.find("a"), memory.find("b")]).toEqual([item("a", "x".repeat(50)), item("b", "x".repeat(50))]);
    memory.keep(item("c", "x".repeat(50)));
    expect(["a", "b", "c"].map((id) => memory.find(id) !== undefined)).toEqual([false, true, true]);
  });

  it("does not grow by items that are larger than all of it, or come again", () => {
    const memory = new ItemMemory(200);
    memory.keep(item("large", "x".repeat(500)));
    expect(memory.find("large")).toBeUndefined();
    for (let time = 0; time < 100; time += 1) memory.keep(item("a", "small"));
    expect(memory.find("a")).toBeDefined();
  });
});

describe("an item that is only named", () => {
  const CALL = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
  const completion = {
    choices: [{ message: { role: "assistant", content: "Hello", tool_calls: [CALL] }, finish_reason: "tool_calls" }],
  };
  const chunks = [chunk({ content: "Hello" }), chunk({ tool_calls: [{ index: 0, ...CALL }] }), chunk({}, "tool_calls")];

  /** The messages of a second request that names everything that the first was answered with. */
  function secondAfter(first: Document, body: "whole" | "streamed", memory: ItemMemory): unknown {
    const context: ResponsesContext = { ...contextOf(), items: memory };
    const translation = responsesToChat({ model: "m", input: "hi", ...first }, context);
    const response = body === "whole" ? answered(translation, completion) : finalOf(eventsOf(translation, chunks));
    const named = (response["output"] as readonly Document[]).map(({ id }) => ({ type: "item_reference", id }));
    const input = [
      { role: "user", content: "hi" },
      ...named,
      { type: "function_call_output", call_id: "call_1", output: "done" },
    ];
    return responsesToChat({ model: "m", input }, context).body["messages"];
  }

  it.each(["whole", "streamed"] as const)("is put in its place where it was answered lately (%s)", (response) => {
    expect(secondAfter({}, response, new ItemMemory(10_000))).toEqual([
      { role: "user", content: "hi" },
      { role: "assistant", content: "Hello", tool_calls: [CALL] },
      { role: "tool", tool_call_id: "call_1", content: "done" },
    ]);
  });

  it("is not known where the client wanted nothing stored, or it was forgotten", () => {
    expect(() => secondAfter({ store: false }, "whole", new ItemMemory(10_000))).toThrow("is not known here");
    expect(() => secondAfter({}, "whole", new ItemMemory(10))).toThrow("is not known here");
  });
});
