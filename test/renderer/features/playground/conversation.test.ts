import { describe, expect, it } from "vitest";
import { factsAtStart } from "../../../../renderer/api/v1/call-facts.ts";
import { chatBody, noSettings, readSettings } from "../../../../renderer/features/playground/chat/chat-settings.ts";
import {
  branch,
  canGoOn,
  changeStep,
  buildMessages,
  onlyColumn,
  showBranch,
  withoutColumn,
  type Conversation,
  type Step,
  type Turn,
} from "../../../../renderer/features/playground/chat/conversation.ts";

const step = (change: Partial<Step> = {}): Step => ({
  id: "s",
  text: "",
  reasoning: "",
  tools: [],
  finish: "stop",
  status: "done",
  facts: factsAtStart("m"),
  fault: null,
  ...change,
});
const turn = (id: string, text: string, ...lanes: readonly (readonly Step[])[]): Turn => ({
  id,
  text,
  pictures: [],
  lanes: lanes.map((steps) => ({ model: "m", steps })),
});
const weather = { id: "call_1", name: "get_weather", input: '{"city":"Lisbon"}', result: null };

describe("the messages of a conversation", () => {
  it("follow one lane, with the first one's responses where it was not there yet", () => {
    const conversation: Conversation = [
      turn("a", "One", [step({ text: "First" })]),
      turn("b", "Two", [step({ text: "Left" })], [step({ text: "Right" })]),
      turn("c", "Three", [], []),
    ];
    expect(buildMessages("Be brief.", conversation, { turn: "c", lane: 1 })).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "One" },
      { role: "assistant", content: "First" },
      { role: "user", content: "Two" },
      { role: "assistant", content: "Right" },
      { role: "user", content: "Three" },
    ]);
    expect(buildMessages(" ", conversation, { turn: "a", lane: 0 })).toHaveLength(2);
  });

  it("hold calls of tools with what they answered, and leave out calls that were never answered", () => {
    const called = step({ tools: [{ ...weather, result: "21" }] });
    expect(buildMessages("", [turn("a", "Weather?", [called])], { turn: "a", lane: 0 }).slice(1)).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Lisbon"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "21" },
    ]);
    const open = step({ text: "Let me look.", tools: [weather] });
    expect(buildMessages("", [turn("a", "Weather?", [open])], { turn: "a", lane: 0 }).slice(1)).toEqual([
      { role: "assistant", content: "Let me look." },
    ]);
  });

  it("hold pictures as blocks, and nothing for a response without words", () => {
    const file = new Blob();
    const shown: Turn = {
      ...turn("a", "", [step({ status: "failed" })]),
      pictures: [{ id: "p", name: "p", file, url: "data:x" }],
    };
    expect(buildMessages("", [shown], { turn: "a", lane: 0 })).toEqual([
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:x" } }] },
    ]);
  });
});

it("changes one step and leaves all others the same objects, so that only it is drawn again", () => {
  const conversation: Conversation = [turn("a", "One", [step()]), turn("b", "Two", [step({ id: "t" })])];
  const changed = changeStep(conversation, { turn: "b", lane: 0 }, "t", (known) => ({ ...known, text: "!" }));
  expect(changed[0]).toBe(conversation[0]);
  expect(changed[1]?.lanes[0]?.steps[0]?.text).toBe("!");
});

it("goes on only after calls of tools", () => {
  expect(canGoOn({ model: "m", steps: [step({ tools: [weather] })] })).toBe(true);
  expect(canGoOn({ model: "m", steps: [step({ tools: [weather], status: "running" })] })).toBe(false);
  expect(canGoOn({ model: "m", steps: [step()] })).toBe(false);
});

describe("settings", () => {
  it("become the fields of a request, by what the model is", () => {
    const settings = { ...noSettings, temperature: "0.5", maxTokens: "20", seed: "7", effort: "high", json: true };
    expect(readSettings(settings, null)).toEqual({
      ok: true,
      fields: { temperature: 0.5, max_tokens: 20, seed: 7, response_format: { type: "json_object" } },
    });
    expect(readSettings(settings, ["low", "high"])).toMatchObject({
      fields: { max_completion_tokens: 20, reasoning_effort: "high" },
    });
    expect(readSettings({ ...noSettings, tools: "[]" }, null)).toEqual({ ok: true, fields: {} });
    expect(chatBody("m", "", { seed: 7 }, [turn("a", "Hi", [])], { turn: "a", lane: 0 })).toEqual({
      model: "m",
      messages: [{ role: "user", content: "Hi" }],
      stream: true,
      seed: 7,
    });
  });

  it("are refused where they cannot be sent at all", () => {
    expect(readSettings({ ...noSettings, temperature: "warm", maxTokens: "1.5", tools: "[{" }, null)).toEqual({
      ok: false,
      faults: { temperature: "number", maxTokens: "whole", tools: "json" },
    });
    expect(readSettings({ ...noSettings, tools: '{"type":"function"}' }, null)).toMatchObject({
      faults: { tools: "tools" },
    });
  });
});

describe("branches", () => {
  const requests = [turn("a", "One"), turn("b", "Two"), turn("c", "Three")];
  const texts = (conversation: Conversation): readonly string[] => conversation.map(({ text }) => text);

  it("keep what followed an edited question, also when one of them is edited again", () => {
    const edited = branch(requests, "b", turn("d", "Two, again"));
    expect(texts(edited)).toEqual(["One", "Two, again"]);
    expect(edited[1]?.fork).toBe(1);
    const back = showBranch(edited, "d", 0);
    expect(texts(back)).toEqual(["One", "Two", "Three"]);
    expect(back[1]).toMatchObject({ id: "b", fork: 0 });
    const third = branch(back, "b", turn("e", "Two, at last"));
    expect(third[1]?.fork).toBe(2);
    expect(texts(showBranch(third, "e", 1))).toEqual(["One", "Two, again"]);
    expect(texts(showBranch(showBranch(third, "e", 0), "b", 2))).toEqual(["One", "Two, at last"]);
    const inner = branch(back, "c", turn("f", "Other three"));
    expect(texts(showBranch(showBranch(inner, "b", 1), "d", 0))).toEqual(["One", "Two", "Other three"]);
  });

  it("are not made where there is no such turn or branch", () => {
    expect(branch(requests, "x", turn("y", "?"))).toBe(requests);
    expect(showBranch(requests, "b", 3)).toBe(requests);
  });
});

describe("columns", () => {
  const text = (conversation: Conversation): readonly (readonly string[])[] =>
    conversation.map(({ lanes }) => lanes.map(({ steps }) => steps[0]?.text ?? ""));
  const conversation = [
    turn("a", "One", [step({ text: "alone" })]),
    turn("b", "Two", [step({ text: "left" })], [step({ text: "middle" })], [step({ text: "right" })]),
  ];

  it("are taken away, and go on alone, with what was said before they were there", () => {
    expect(text(withoutColumn(conversation, 1))).toEqual([["alone"], ["left", "right"]]);
    expect(text(withoutColumn(conversation, 0))).toEqual([["alone"], ["middle", "right"]]);
    expect(text(onlyColumn(conversation, 2))).toEqual([["alone"], ["right"]]);
  });
});
