import { describe, expect, test } from "vitest";
import { contextModel } from "../../../../renderer/features/sessions/context-plot.tsx";
import { getLabel } from "../../../../renderer/features/sessions/message-part.tsx";
import {
  getAgents,
  cachedShare,
  inOrder,
  matchesAgent,
  shortId,
  getTokens,
} from "../../../../renderer/features/sessions/session-words.ts";
import { en } from "../../../../renderer/locales/en.ts";
import { receipt } from "../../../gateway/store/fixtures.ts";

const term = (unit: "input" | "cached_input" | "output", quantity: number) => ({
  unit,
  quantity,
  nano_per_million: 0,
  nano: 0,
});

test("tokens by class, and how many of them came from a cache", () => {
  const one = receipt("a", { terms: [term("input", 100), term("cached_input", 300), term("output", 7)] });
  expect(getTokens(one)).toEqual({ input: 400, cached: 300, output: 7 });
  expect([cachedShare(300, 400), cachedShare(0, 10), cachedShare(0, 0)]).toEqual(["75%", "0%", null]);
});

test("short ids stand whole, long ones by their beginning", () => {
  expect([shortId("ses_1"), shortId("0f51015d-ed5a-4de0-8285-1f008afc3073")]).toEqual(["ses_1", "0f51015d-ed5…"]);
});

describe("requests in order", () => {
  const newestFirst = [receipt("c"), receipt("b", { agent: "x" }), receipt("b", { agent: "x" }), receipt("a")];

  test("each once, by their numbers in the session", () => {
    expect(inOrder(newestFirst, 10).map(({ number, receipt: { id } }) => [number, id])).toEqual([
      [8, "a"],
      [9, "b"],
      [10, "c"],
    ]);
    // More than the session was known to have: one was settled a moment ago.
    expect(inOrder(newestFirst, 2).map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  test("by their agents", () => {
    const turns = inOrder(newestFirst, 3);
    expect(getAgents(turns)).toEqual(["x"]);
    const ids = (agent: string | null): string[] =>
      turns.filter(({ receipt: one }) => matchesAgent(one, agent)).map(({ receipt: { id } }) => id);
    expect([ids(null), ids(""), ids("x")]).toEqual([["a", "b", "c"], ["a", "c"], ["b"]]);
  });
});

test("the plot of the context leaves out requests that do not tell it", () => {
  const context = { system: 1, tools: 2, results: 3, messages: 4 };
  const turns = inOrder([receipt("b", { context }), receipt("a")], 2);
  const { at, series } = contextModel(turns, en);
  expect(at).toEqual([2]);
  expect(series.map(({ label, values }) => [label, ...values])).toEqual([
    ["System", 1],
    ["Tools", 2],
    ["Results and files", 3],
    ["Messages", 4],
  ]);
});

test.each([
  [{ role: "user", kind: "text", name: "" }, "User"],
  [{ role: "assistant", kind: "call", name: "Read" }, "Calls Read"],
  [{ role: "assistant", kind: "call", name: "" }, "Calls a tool"],
  [{ role: "tool", kind: "result", name: "Read" }, "Result of Read"],
  [{ role: "tool", kind: "result", name: "" }, "Result"],
  [{ role: "assistant", kind: "reasoning", name: "" }, "Reasoning"],
  [{ role: "system", kind: "tools", name: "" }, "Tools"],
  [{ role: "user", kind: "medium", name: "image" }, "Attachment"],
] as const)("%j is called %s", (part, label) => {
  expect(getLabel({ ...part, text: "", cut: 0 }, en)).toBe(label);
});
