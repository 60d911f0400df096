import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { claudeBodyOf, HI, refusalOf } from "../support/translating.ts";

const bodyOf = (messages: readonly Document[], model = "claude-opus-5-5"): Document =>
  claudeBodyOf({ messages }, model);
const messagesOf = (...messages: readonly Document[]): unknown => bodyOf(messages)["messages"];
const text = (words: string, rest: Document = {}): Document => ({ type: "text", text: words, ...rest });
const user = (content: unknown): Document => ({ role: "user", content });
const image = (url: unknown): Document => ({ type: "image_url", image_url: url });
const EPHEMERAL = { cache_control: { type: "ephemeral" } };

describe("instructions", () => {
  it("of system and developer messages become system blocks, wherever they stand", () => {
    const body = bodyOf([
      { role: "system", content: "One" },
      ...HI,
      { role: "developer", content: [text("Two", EPHEMERAL), text("")] },
      user("Go on"),
    ]);
    expect(body["system"]).toEqual([text("One"), text("Two", EPHEMERAL)]);
    expect(body["messages"]).toEqual([{ role: "user", content: [text("Hi"), text("Go on")] }]);
  });

  it("alone still make a conversation", () => {
    expect(bodyOf([{ role: "system", content: "Write a haiku." }])).toMatchObject({
      system: [text("Write a haiku.")],
      messages: [{ role: "user", content: [{ type: "text" }] }],
    });
  });

  it("hold nothing but text", () => {
    const refusal = refusalOf(() => bodyOf([{ role: "system", content: [image("https://x/y.png")] }, ...HI]));
    expect(refusal).toMatchObject({ status: 400, details: { param: "messages[0].content[0]" } });
  });
});

describe("turns", () => {
  it("join messages of the same role, without empty ones", () => {
    expect(
      messagesOf(
        user("A"),
        user(" \n"),
        user("B"),
        { role: "assistant", content: "C" },
        { role: "assistant", content: "" },
        { role: "assistant", content: "D" },
        user("E"),
      ),
    ).toEqual([
      { role: "user", content: [text("A"), text("B")] },
      { role: "assistant", content: [text("C"), text("D")] },
      { role: "user", content: [text("E")] },
    ]);
  });

  it("begin with the user", () => {
    expect(messagesOf({ role: "assistant", content: "Welcome" }, user("Hi"))).toMatchObject([
      { role: "user", content: [{ type: "text" }] },
      { role: "assistant", content: [text("Welcome")] },
      { role: "user", content: [text("Hi")] },
    ]);
  });

  it("end with the user at models that do not go on with a response, and without space at those that do", () => {
    const begun = [...HI, { role: "assistant", content: "It is \n" }];
    expect(bodyOf(begun)["messages"]).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      { role: "user", content: [text("Continue.")] },
    ]);
    expect(bodyOf(begun, "claude-sonnet-4-5")["messages"]).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [text("It is")] },
    ]);
  });
});

describe("calls and results", () => {
  const call = (id: string, name: string, text: string): Document => ({
    id,
    type: "function",
    function: { name, arguments: text },
  });
  const PNG = "data:image/png;base64,iVBORw0KGgo=";

  it("of one turn are joined, results first, parts and images too", () => {
    expect(
      messagesOf(
        user("Go"),
        { role: "assistant", content: "I look.", tool_calls: [call("a", "f", '{"x":1}'), call("b", "g", "")] },
        { role: "tool", tool_call_id: "a", content: "one" },
        { role: "tool", tool_call_id: "b", content: [text("two"), image({ url: PNG })] },
        user("And?"),
      ),
    ).toEqual([
      { role: "user", content: [text("Go")] },
      {
        role: "assistant",
        content: [
          text("I look."),
          { type: "tool_use", id: "a", name: "f", input: { x: 1 } },
          { type: "tool_use", id: "b", name: "g", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "one" },
          {
            type: "tool_result",
            tool_use_id: "b",
            content: [
              text("two"),
              { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
            ],
          },
          text("And?"),
        ],
      },
    ]);
  });

  it("have the results first, also where the user spoke before the tool", () => {
    expect(
      messagesOf(user("Go"), { role: "assistant", content: null, tool_calls: [call("a", "f", "{}")] }, user("Hurry"), {
        role: "tool",
        tool_call_id: "a",
        content: "one",
      }),
    ).toMatchObject([{}, {}, { role: "user", content: [{ type: "tool_result", tool_use_id: "a" }, text("Hurry")] }]);
  });

  it("have ids that Anthropic takes, the same on both sides", () => {
    const [, said, answered] = messagesOf(
      user("Go"),
      { role: "assistant", content: null, tool_calls: [call("functions.f:0", "f", "{}")] },
      { role: "tool", tool_call_id: "functions.f:0", content: "ok" },
    ) as readonly { readonly content: readonly Document[] }[];
    const id = said?.content[0]?.["id"];
    expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(answered?.content[0]?.["tool_use_id"]).toBe(id);
  });

  it("survive broken arguments", () => {
    expect(
      messagesOf(
        user("Go"),
        { role: "assistant", tool_calls: [call("a", "f", '{"x":[1')], content: null },
        { role: "tool", tool_call_id: "a", content: "" },
      ),
    ).toMatchObject([{}, { content: [{ input: { x: [1] } }] }, { content: [{ type: "tool_result", content: "" }] }]);
  });
});

describe("an assistant's thinking", () => {
  const signed = { type: "thinking", thinking: "hm", signature: "Eq" };
  const redacted = { type: "redacted_thinking", data: "xyz" };

  it("comes back with its signature, in front of all else, and is dropped without one", () => {
    const said = {
      role: "assistant",
      content: "A",
      reasoning_content: "hm",
      thinking_blocks: [signed, redacted, { type: "thinking", thinking: "x" }],
    };
    expect(messagesOf(user("Go"), said, user("On"))).toMatchObject([
      {},
      { content: [signed, redacted, text("A")] },
      {},
    ]);
    expect(
      messagesOf(user("Go"), { role: "assistant", content: "A", reasoning_content: "hm" }, user("On")),
    ).toMatchObject([{}, { content: [text("A")] }, {}]);
  });

  it("loses fields that Anthropic would refuse in it", () => {
    const said = { role: "assistant", content: "A", thinking_blocks: [{ ...signed, index: 0 }] };
    expect((messagesOf(user("Go"), said, user("On")) as readonly Document[])[1]).toEqual({
      role: "assistant",
      content: [signed, text("A")],
    });
  });
});
