import { describe, expect, it } from "vitest";
import {
  ItemMemory,
  type ResponsesContext,
  withConversation,
} from "../../../../gateway/codecs/responses-to-chat/item-memory.ts";
import { responsesToChat } from "../../../../gateway/codecs/responses-to-chat/translate.ts";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { answered, chunk, contextOf, eventsOf, finalOf } from "./translated.ts";

const item = (id: string, text: string) => ({ id, type: "message", role: "assistant", content: text });

describe("the memory of items", () => {
  it("finds what was kept, and forgets the oldest first when it is full", () => {
    const one = JSON.stringify([item("a", "x".repeat(50))]).length;
    const memory = new ItemMemory(2 * one);
    for (const id of ["a", "b"]) memory.keep([item(id, "x".repeat(50))]);
    expect([memory.find("a"), memory.find("b")]).toEqual([item("a", "x".repeat(50)), item("b", "x".repeat(50))]);
    memory.keep([item("c", "x".repeat(50))]);
    expect(["a", "b", "c"].map((id) => memory.find(id) !== undefined)).toEqual([false, true, true]);
  });

  it("does not grow by items that are larger than all of it, or come again", () => {
    const memory = new ItemMemory(200);
    memory.keep([item("large", "x".repeat(500))]);
    expect(memory.find("large")).toBeUndefined();
    for (let time = 0; time < 100; time += 1) memory.keep([item("a", "small")]);
    expect(memory.find("a")).toBeDefined();
  });

  it("finds an item of two outputs for as long as one of them is known", () => {
    const [first, second] = [item("a", "x".repeat(50)), item("a", "x".repeat(50))];
    const memory = new ItemMemory(2 * JSON.stringify([first]).length);
    memory.keep([first]);
    expect(memory.find("a")).toBe(first);
    memory.keep([second]);
    memory.keep([item("b", "x".repeat(50))]);
    expect([memory.find("a"), memory.find("b")]).toEqual([second, item("b", "x".repeat(50))]);
    memory.keep([item("c", "x".repeat(50))]);
    expect(memory.find("a")).toBeUndefined();
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

describe("a response that the next request names", () => {
  const completion = { choices: [{ message: { role: "assistant", content: "Blue." }, finish_reason: "stop" }] };
  const HOUR = 3_600;
  const now = contextOf().now;

  function continued(first: Document, memory: ItemMemory, seconds = 1): Document {
    const context: ResponsesContext = { ...contextOf(), items: memory };
    const translation = responsesToChat({ model: "m", input: "A colour?", ...first }, context);
    const { id } = answered(translation, completion);
    return withConversation({ model: "m", input: "Why?", previous_response_id: id }, memory, now + seconds);
  }

  it("brings its conversation along, for an hour, and that of the responses before it", () => {
    const memory = new ItemMemory(10_000);
    const second = continued({ instructions: "Be brief." }, memory, HOUR);
    const messages = [
      { role: "user", content: "A colour?" },
      { role: "assistant", content: "Blue." },
      { role: "user", content: "Why?" },
    ];
    expect(responsesToChat(second, contextOf()).body["messages"]).toEqual(messages);
    const context: ResponsesContext = { ...contextOf(), items: memory, newId: () => "second" };
    const { id } = answered(responsesToChat(second, context), completion);
    const third = withConversation(
      { model: "m", input: [{ role: "user", content: "And?" }], previous_response_id: id },
      memory,
      now,
    );
    expect(responsesToChat(third, contextOf()).body["messages"]).toEqual([
      ...messages,
      { role: "assistant", content: "Blue." },
      { role: "user", content: "And?" },
    ]);
  });

  it.each([
    ["after an hour", {}, 10_000, HOUR + 1],
    ["where the client wanted nothing stored", { store: false }, 10_000, 1],
    ["where the memory is too small", {}, 50, 1],
  ])("is not known %s", (_when, first, size, seconds) => {
    const request = continued(first, new ItemMemory(size), seconds);
    expect(() => responsesToChat(request, contextOf())).toThrow(
      /'previous_response_id' \("resp_.*"\) is not known here: .*the whole conversation/,
    );
  });

  it("may have any size before the oldest go, by what their texts come to", () => {
    const memory = new ItemMemory(1_000);
    for (const id of ["a", "b", "c"]) memory.keepConversation(id, [item("1", "x".repeat(400))], now);
    expect(["a", "b", "c"].map((id) => memory.conversation(id, now) !== undefined)).toEqual([false, true, true]);
  });
});
