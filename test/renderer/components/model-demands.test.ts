import { describe, expect, it } from "vitest";
import {
  demands,
  listUseful,
  meetsDemand,
  toggleDemand,
  type Demand,
} from "../../../renderer/components/model-picker/demands.ts";
import { fakeModel } from "../../e2e/browser/fake-models.ts";

const model = fakeModel({
  id: "one",
  abilities: { pictures: true, tools: false },
  reasoning: true,
  context_length: 200_000,
  input_nano_per_million: 1_000_000_000,
});
const unknown = fakeModel({ id: "other", context_length: null });

describe("demands of a model", () => {
  it.each<[Demand, boolean]>([
    ["pictures", true],
    ["tools", false],
    ["reasoning", true],
    ["json_schema", false],
    ["context_128k", true],
    ["context_200k", true],
    ["context_1m", false],
    ["under_1", false],
    ["under_5", true],
  ])("%s are met surely or not at all", (demand, met) => {
    expect(meetsDemand(model, demand)).toBe(met);
    expect(meetsDemand(unknown, demand)).toBe(false);
  });

  it("are offered where they filter something", () => {
    expect(listUseful([model, unknown])).toEqual(demands.filter((demand) => meetsDemand(model, demand)));
    expect(listUseful([model])).toEqual([]);
  });

  it("hold one context and one price at a time", () => {
    const press = (...pressed: readonly Demand[]): readonly Demand[] => [
      ...pressed.reduce<ReadonlySet<Demand>>(toggleDemand, new Set()),
    ];
    expect(press("tools", "context_128k", "context_1m", "under_1", "under_5")).toEqual([
      "tools",
      "context_1m",
      "under_5",
    ]);
    expect(press("tools", "pictures", "tools")).toEqual(["pictures"]);
    expect(press("context_1m", "context_1m")).toEqual([]);
  });
});
