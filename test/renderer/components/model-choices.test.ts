import { expect, it } from "vitest";
import {
  choosableDemands,
  listPickerRows,
  createRowsInSight,
  rowTops,
} from "../../../renderer/components/model-picker/model-choices.ts";
import type { Demand } from "../../../renderer/components/model-picker/demands.ts";
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
const written = (rows: ReturnType<typeof listPickerRows>): readonly string[] =>
  rows.map((row) => (row.kind === "heading" ? `# ${row.label}` : row.model.id));

it("offers what is served and can do it, by provider", () => {
  expect(written(listPickerRows(models, filter))).toEqual([
    "# OpenAI",
    "gpt-5.4",
    "gpt-5.4-mini",
    "# Anthropic",
    "claude-sonnet-5",
  ]);
});

it("puts what was chosen lately first, once, and never a model that is gone", () => {
  expect(written(listPickerRows(models, { ...filter, recent: ["gone", "claude-sonnet-5"] }))).toEqual([
    "# Recent",
    "claude-sonnet-5",
    "# OpenAI",
    "gpt-5.4",
    "gpt-5.4-mini",
  ]);
});

it("offers a model that a route of its name goes before, and none whose name an alias has taken", () => {
  const routed = fakeModel({ id: "gpt-5.4", hidden_by: "gpt-5.4" });
  const received = fakeModel({ id: "gpt-4", hidden_by: "gpt-5.4" });
  expect(written(listPickerRows([routed, received], filter))).toEqual(["# OpenAI", "gpt-5.4"]);
});

it("finds words in id, name, provider and alias, the best match first", () => {
  const found = (typed: string): readonly string[] => written(listPickerRows(models, { ...filter, typed }));
  expect(found("mini gpt")).toEqual(["# OpenAI", "gpt-5.4-mini"]);
  expect(found("anthropic")).toEqual(["# Anthropic", "claude-sonnet-5"]);
  expect(found("team/fast")).toEqual(["# OpenAI", "gpt-5.4"]);
  expect(found("5")).toEqual(["# OpenAI", "gpt-5.4", "gpt-5.4-mini", "# Anthropic", "claude-sonnet-5"]);
  expect(found("gone")).toEqual([]);
  expect(written(listPickerRows(models, { ...filter, except: ["gpt-5.4"], typed: "gpt" }))).toEqual([
    "# OpenAI",
    "gpt-5.4-mini",
  ]);
});

it("offers only models that surely meet the demands, where some of them do", () => {
  const known = [
    fakeModel({ id: "sees", abilities: { pictures: true, tools: true } }),
    fakeModel({ id: "blind", abilities: { pictures: false, tools: true } }),
    fakeModel({ id: "unknown" }),
    fakeModel({ id: "painter", capabilities: ["image"], abilities: { pictures: true } }),
  ];
  const meeting = (...expected: readonly Demand[]): readonly string[] =>
    written(listPickerRows(known, { ...filter, recent: ["blind"], demands: new Set(expected) }));
  expect(meeting()).toEqual(["# Recent", "blind", "# OpenAI", "sees", "unknown"]);
  expect(meeting("tools")).toEqual(["# Recent", "blind", "# OpenAI", "sees"]);
  expect(meeting("tools", "pictures")).toEqual(["# OpenAI", "sees"]);
  expect(choosableDemands(known, filter)).toEqual(["pictures", "tools"]);
  expect(choosableDemands(known, { ...filter, except: ["unknown"] })).toEqual(["pictures"]);
  expect(choosableDemands(models, filter)).toEqual([]);
});

it("draws the rows that are in sight", () => {
  const tops = rowTops(listPickerRows(models, filter));
  expect(tops).toEqual([0, 28, 72, 116, 144, 188]);
  expect(createRowsInSight(tops, 0, 30)).toEqual([0, 2]);
  expect(createRowsInSight(tops, 72, 117)).toEqual([2, 4]);
  expect(createRowsInSight(tops, -200, 1_000)).toEqual([0, 5]);
  expect(createRowsInSight(rowTops([]), 0, 100)).toEqual([0, 0]);
});
