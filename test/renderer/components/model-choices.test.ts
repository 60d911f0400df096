import { expect, it } from "vitest";
import { pickerRows, rowsInSight, rowTops } from "../../../renderer/components/model-picker/model-choices.ts";
import { fakeModel } from "../../e2e/browser/fake-models.ts";

const models = [
  fakeModel({ id: "gpt-5.4", name: "GPT-5.4", aliases: ["team/fast"] }),
  // A route of its name stands before it.
  fakeModel({ id: "gpt-5.4-mini", name: "GPT-5.4 mini", hidden_by: "gpt-5.4-mini" }),
  fakeModel({ id: "claude-sonnet-5", name: "Claude Sonnet 5", owner: "anthropic", group: "Anthropic" }),
  fakeModel({ id: "gone", served: false }),
  fakeModel({ id: "hidden", hidden_by: "gpt-5.4" }),
  fakeModel({ id: "painter", capabilities: ["image"] }),
];
const filter = { typed: "", capability: "chat", recent: [], recentLabel: "Recent" } as const;
const written = (rows: ReturnType<typeof pickerRows>): readonly string[] =>
  rows.map((row) => (row.kind === "heading" ? `# ${row.label}` : row.model.id));

it("offers what is served and can do it, by provider", () => {
  expect(written(pickerRows(models, filter))).toEqual([
    "# OpenAI",
    "gpt-5.4",
    "gpt-5.4-mini",
    "# Anthropic",
    "claude-sonnet-5",
  ]);
});

it("puts what was chosen lately first, once, and never a model that is gone", () => {
  expect(written(pickerRows(models, { ...filter, recent: ["gone", "claude-sonnet-5"] }))).toEqual([
    "# Recent",
    "claude-sonnet-5",
    "# OpenAI",
    "gpt-5.4",
    "gpt-5.4-mini",
  ]);
});

it("finds words in id, name, provider and alias, the best match first", () => {
  const found = (typed: string): readonly string[] => written(pickerRows(models, { ...filter, typed }));
  expect(found("mini gpt")).toEqual(["# OpenAI", "gpt-5.4-mini"]);
  expect(found("anthropic")).toEqual(["# Anthropic", "claude-sonnet-5"]);
  expect(found("team/fast")).toEqual(["# OpenAI", "gpt-5.4"]);
  expect(found("5")).toEqual(["# OpenAI", "gpt-5.4", "gpt-5.4-mini", "# Anthropic", "claude-sonnet-5"]);
  expect(found("gone")).toEqual([]);
  expect(written(pickerRows(models, { ...filter, except: ["gpt-5.4"], typed: "gpt" }))).toEqual([
    "# OpenAI",
    "gpt-5.4-mini",
  ]);
});

it("draws the rows that are in sight", () => {
  const tops = rowTops(pickerRows(models, filter));
  expect(tops).toEqual([0, 28, 72, 116, 144, 188]);
  expect(rowsInSight(tops, 0, 30)).toEqual([0, 2]);
  expect(rowsInSight(tops, 72, 117)).toEqual([2, 4]);
  expect(rowsInSight(tops, -200, 1_000)).toEqual([0, 5]);
  expect(rowsInSight(rowTops([]), 0, 100)).toEqual([0, 0]);
});
