import { describe, expect, it } from "vitest";
import type { Route } from "../../../../gateway/contract/routes.ts";
import {
  draftOfRoute,
  emptyRoute,
  getFieldOfParam,
  moveMember,
  createRule,
  readRoute,
  type RuleDraft,
} from "../../../../renderer/features/routes/route-draft.ts";

const route: Route = {
  name: "keep-working",
  models: ["claude-opus-5-5", "gpt-5.4"],
  order: "fastest",
  sticky: true,
  rules: [
    {
      when: {
        kinds: ["background", "title"],
        input_tokens_above: 60_000,
        clients: ["Claude Code", "codex*"],
        keys: ["key_1"],
        hours: { from: "22:00", until: "06:30" },
        budget_used_above: 80.5,
      },
      models: ["claude-haiku-4-5"],
      enabled: false,
    },
    { when: { kinds: ["pictures"] }, models: ["gpt-5.4"], enabled: true },
  ],
  enabled: true,
};

it("writes a route into the form and reads it back as it was", () => {
  const { enabled: _enabled, ...set } = route;
  expect(readRoute(draftOfRoute(route))).toEqual({ ok: true, route: set });
});

const invalid = (change: Partial<RuleDraft>): readonly string[] => {
  const rule = { ...createRule([]), kinds: ["background" as const], models: ["a"], ...change };
  const read = readRoute({ ...emptyRoute, name: "r", models: ["a"], rules: [rule] });
  return read.ok ? [] : [...read.invalid];
};

describe("says which field is wrong", () => {
  it.each<[Partial<RuleDraft>, readonly string[]]>([
    [{}, []],
    [{ kinds: [] }, ["0.kinds"]],
    [{ kinds: null }, ["0.when"]],
    [{ kinds: null, above: "60,000" }, []],
    [{ above: "many" }, ["0.above"]],
    [{ above: "" }, ["0.above"]],
    [{ above: "1.5" }, ["0.above"]],
    [{ clients: " , " }, ["0.clients"]],
    [{ keys: [] }, ["0.keys"]],
    [{ hours: { from: "09:00", until: "" } }, ["0.hours"]],
    [{ budget: "101" }, ["0.budget"]],
    [{ budget: "80 %" }, []],
    [{ models: [] }, ["0.models"]],
  ])("of a rule with %o", (change, fields) => {
    expect(invalid(change)).toEqual(fields);
  });

  it("of the route itself", () => {
    const read = readRoute({ ...emptyRoute, name: "two words" });
    expect(read.ok ? [] : [...read.invalid]).toEqual(["name", "models"]);
  });
});

it.each([
  ["name", "name"],
  ["models", "models"],
  ["models[2]", "models"],
  ["rules[1].models", "1.models"],
  ["rules.0.models.1", "0.models"],
  ["rules[3].when", "3.when"],
  ["rules[3].when.input_tokens_above", "3.above"],
  ["rules[0].when.hours.from", "0.hours"],
  ["rules", "rules"],
  ["enabled", undefined],
  [null, undefined],
])("finds the field that the gateway calls %s", (param, field) => {
  expect(getFieldOfParam(param)).toBe(field);
});

it.each([
  [0, 2, "bca"],
  [2, 0, "cab"],
  [1, 0, "bac"],
  [0, -1, "abc"],
  [2, 3, "abc"],
  [5, 0, "abc"],
])("moves from %i to %i", (from, to, expected) => {
  expect(moveMember(["a", "b", "c"], from, to).join("")).toBe(expected);
});

it("tells rules apart, also after one was taken out", () => {
  const first = createRule([]);
  const second = createRule([first]);
  expect(createRule([second]).id).not.toBe(second.id);
});
