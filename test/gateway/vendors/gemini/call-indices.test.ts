import { expect, it } from "vitest";
import { numberCalls } from "../../../../gateway/vendors/gemini/call-indices.ts";

const call = (id: string | undefined, index: number | undefined, text = "{}"): object => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id }),
  type: "function",
  function: { name: "f", arguments: text },
  extra_content: { google: { thought_signature: "EtoF" } },
});
const chunk = (calls: readonly unknown[], choice = 0) => ({
  id: "1",
  object: "chat.completion.chunk",
  choices: [{ index: choice, delta: { role: "assistant", tool_calls: calls }, finish_reason: null }],
});

it("gives calls side by side numbers of their own, within an event and over several", () => {
  const number = numberCalls();
  expect(number(chunk([call("a", 0), call("b", 0)]))).toEqual(chunk([call("a", 0), call("b", 1)]));
  expect(number(chunk([call("c", 0)]))).toEqual(chunk([call("c", 2)]));
});

it("numbers calls that have no number", () => {
  const number = numberCalls();
  expect(number(chunk([call("a", undefined)]))).toEqual(chunk([call("a", 0)]));
  expect(number(chunk([call("b", undefined)]))).toEqual(chunk([call("b", 1)]));
});

it("knows a call again by its id, and a piece without one by the call before it", () => {
  const number = numberCalls();
  number(chunk([call("a", 0), call("b", 0)]));
  expect(number(chunk([call("a", 0)]))).toEqual(chunk([call("a", 0)]));
  expect(number(chunk([call("", 0)]))).toEqual(chunk([call("", 1)]));
  expect(number(chunk([call(undefined, undefined)]))).toEqual(chunk([call(undefined, 1)]));
});

it("numbers each answer by itself", () => {
  const number = numberCalls();
  number(chunk([call("a", 0)], 0));
  expect(number(chunk([call("b", 0)], 1))).toEqual(chunk([call("b", 0)], 1));
});

it.each([
  chunk([call("a", 0), call("b", 1)]),
  chunk([null, 5]),
  chunk([]),
  { choices: [{ index: 0, delta: { content: "x" } }, null] },
  { choices: "x" },
  { error: { code: 429 } },
])("hands on the very event where nothing is wrong: %j", (event) => {
  expect(numberCalls()(event)).toBe(event);
});
