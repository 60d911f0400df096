import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { claudeBodyOf, HI, refusalOf } from "../support/translating.ts";
import {
  functionCall,
  modelTurn,
  systemTurn,
  thinkingBlock,
  toolResult,
  toolTurn,
  toolUse,
  userTurn,
} from "../support/blocks.ts";

const bodyOf = (messages: readonly Document[], model = "claude-opus-5-5"): Document =>
  claudeBodyOf({ messages }, model);
const messagesOf = (...messages: readonly Document[]): unknown => bodyOf(messages)["messages"];
const text = (words: string, rest: Document = {}): Document => ({ type: "text", text: words, ...rest });
const image = (url: unknown): Document => ({ type: "image_url", image_url: url });
const EPHEMERAL = { cache_control: { type: "ephemeral" } };

describe("instructions", () => {
  it("of system and developer messages become system blocks, wherever they stand", () => {
    const body = bodyOf([
      systemTurn("One"),
      ...HI,
      { role: "developer", content: [text("Two", EPHEMERAL), text("")] },
      userTurn("Go on"),
    ]);
    expect(body["system"]).toEqual([text("One"), text("Two", EPHEMERAL)]);
    expect(body["messages"]).toEqual([userTurn([text("Hi"), text("Go on")])]);
  });

  it("alone still make a conversation", () => {
    expect(bodyOf([systemTurn("Write a haiku.")])).toMatchObject({
      system: [text("Write a haiku.")],
      messages: [userTurn([{ type: "text" }])],
    });
  });

  it("hold nothing but text", () => {
    const refusal = refusalOf(() => bodyOf([systemTurn([image("https://x/y.png")]), ...HI]));
    expect(refusal).toMatchObject({ status: 400, details: { param: "messages[0].content[0]" } });
  });
});

describe("turns", () => {
  it("join messages of the same role, without empty ones", () => {
    expect(
      messagesOf(
        userTurn("A"),
        userTurn(" \n"),
        userTurn("B"),
        modelTurn("C"),
        modelTurn(""),
        modelTurn("D"),
        userTurn("E"),
      ),
    ).toEqual([userTurn([text("A"), text("B")]), modelTurn([text("C"), text("D")]), userTurn([text("E")])]);
  });

  it("begin with the user", () => {
    expect(messagesOf(modelTurn("Welcome"), userTurn("Hi"))).toMatchObject([
      userTurn([{ type: "text" }]),
      modelTurn([text("Welcome")]),
      userTurn([text("Hi")]),
    ]);
  });

  it("end with the user at models that do not go on with a response, and without space at those that do", () => {
    const begun = [...HI, modelTurn("It is \n")];
    expect(bodyOf(begun)["messages"]).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      userTurn([text("Continue.")]),
    ]);
    expect(bodyOf(begun, "claude-sonnet-4-5")["messages"]).toMatchObject([
      { role: "user" },
      modelTurn([text("It is")]),
    ]);
  });
});

describe("calls and results", () => {
  const PNG = "data:image/png;base64,iVBORw0KGgo=";

  it("of one turn are joined, results first, parts and images too", () => {
    expect(
      messagesOf(
        userTurn("Go"),
        {
          role: "assistant",
          content: "I look.",
          tool_calls: [functionCall("a", "f", '{"x":1}'), functionCall("b", "g", "")],
        },
        toolTurn("a", "one"),
        toolTurn("b", [text("two"), image({ url: PNG })]),
        userTurn("And?"),
      ),
    ).toEqual([
      userTurn([text("Go")]),
      modelTurn([text("I look."), toolUse("a", "f", { x: 1 }), toolUse("b", "g", {})]),
      userTurn([
        toolResult("a", "one"),
        toolResult("b", [
          text("two"),
          { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
        ]),
        text("And?"),
      ]),
    ]);
  });

  it("have the results first, also where the user spoke before the tool", () => {
    expect(
      messagesOf(
        userTurn("Go"),
        { role: "assistant", content: null, tool_calls: [functionCall("a", "f", "{}")] },
        userTurn("Hurry"),
        toolTurn("a", "one"),
      ),
    ).toMatchObject([{}, {}, userTurn([{ type: "tool_result", tool_use_id: "a" }, text("Hurry")])]);
  });

  it("have ids that Anthropic takes, the same on both sides", () => {
    const [, said, answered] = messagesOf(
      userTurn("Go"),
      { role: "assistant", content: null, tool_calls: [functionCall("functions.f:0", "f", "{}")] },
      toolTurn("functions.f:0", "ok"),
    ) as readonly { readonly content: readonly Document[] }[];
    const id = said?.content[0]?.["id"];
    expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(answered?.content[0]?.["tool_use_id"]).toBe(id);
  });

  it("survive broken arguments", () => {
    expect(
      messagesOf(
        userTurn("Go"),
        { role: "assistant", tool_calls: [functionCall("a", "f", '{"x":[1')], content: null },
        toolTurn("a", ""),
      ),
    ).toMatchObject([{}, { content: [{ input: { x: [1] } }] }, { content: [{ type: "tool_result", content: "" }] }]);
  });
});

describe("an assistant's thinking", () => {
  const signed = thinkingBlock("hm", "Eq");
  const redacted = { type: "redacted_thinking", data: "xyz" };

  it("comes back with its signature, in front of all else, and goes without one where it has none", () => {
    const said = {
      role: "assistant",
      content: "A",
      reasoning_content: "hm",
      thinking_blocks: [signed, redacted, { type: "thinking", thinking: "x" }],
    };
    expect(messagesOf(userTurn("Go"), said, userTurn("On"))).toMatchObject([
      {},
      { content: [signed, redacted, text("A")] },
      {},
    ]);
    expect(
      messagesOf(userTurn("Go"), { role: "assistant", content: "A", reasoning_content: "hm" }, userTurn("On")),
    ).toMatchObject([{}, { content: [{ type: "thinking", thinking: "hm", signature: "" }, text("A")] }, {}]);
  });

  it("loses fields that Anthropic would refuse in it", () => {
    const said = { role: "assistant", content: "A", thinking_blocks: [{ ...signed, index: 0 }] };
    expect((messagesOf(userTurn("Go"), said, userTurn("On")) as readonly Document[])[1]).toEqual(
      modelTurn([signed, text("A")]),
    );
  });
});
