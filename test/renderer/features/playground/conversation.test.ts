import { describe, expect, it } from "vitest";
import { factsAtStart } from "../../../../renderer/api/v1/call-facts.ts";
import { chatBody, noSettings, readSettings } from "../../../../renderer/features/playground/chat/chat-settings.ts";
import {
  before,
  canGoOn,
  changeStep,
  messagesFor,
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
    expect(messagesFor("Be brief.", conversation, { turn: "c", lane: 1 })).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "One" },
      { role: "assistant", content: "First" },
      { role: "user", content: "Two" },
      { role: "assistant", content: "Right" },
      { role: "user", content: "Three" },
    ]);
    expect(messagesFor(" ", conversation, { turn: "a", lane: 0 })).toHaveLength(2);
  });

  it("hold calls of tools with what they answered, and leave out calls that were never answered", () => {
    const called = step({ tools: [{ ...weather, result: "21" }] });
    expect(messagesFor("", [turn("a", "Weather?", [called])], { turn: "a", lane: 0 }).slice(1)).toEqual([
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
    expect(messagesFor("", [turn("a", "Weather?", [open])], { turn: "a", lane: 0 }).slice(1)).toEqual([
      { role: "assistant", content: "Let me look." },
    ]);
  });

  it("hold pictures as blocks, and nothing for a response without words", () => {
    const file = new Blob();
    const shown: Turn = {
      ...turn("a", "", [step({ status: "failed" })]),
      pictures: [{ id: "p", name: "p", file, url: "data:x" }],
    };
    expect(messagesFor("", [shown], { turn: "a", lane: 0 })).toEqual([
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:x" } }] },
    ]);
  });
});

it("changes one step and leaves all others the same objects, so that only it is drawn again", () => {
  const conversation: Conversation = [turn("a", "One", [step()]), turn("b", "Two", [step({ id: "t" })])];
  const changed = changeStep(conversation, { turn: "b", lane: 0 }, "t", (known) => ({ ...known, text: "!" }));
  expect(changed[0]).toBe(conversation[0]);
  expect(changed[1]?.lanes[0]?.steps[0]?.text).toBe("!");
  expect(before(conversation, "b")).toEqual([conversation[0]]);
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
