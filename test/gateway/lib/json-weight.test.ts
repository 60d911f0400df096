import fc from "fast-check";
import { expect, it } from "vitest";
import { weighJson } from "../../../gateway/lib/json-weight.ts";
import type { JsonWeight } from "../../../gateway/lib/json-weight.ts";

const NONE = { depth: Infinity, pieces: Infinity, values: Infinity };

it.each([
  ["7", 0, 0, 0],
  ['"a"', 0, 1, 0],
  ["[]", 1, 1, 0],
  ['{"a":[1,2,{"b":"c"}]}', 3, 6, 2],
  ['["[[[[", "\\"[[", "\\\\", [] ]', 2, 5, 3],
  ["[[[", 3, 3, 0],
  ['["unclosed,', 1, 2, 0],
  ["]]]][", 0, 1, 0],
])("%s is %i deep and of %i pieces, and %i values stand before others", (text, depth, pieces, values) => {
  expect(weighJson(Buffer.from(text), NONE)).toEqual({ depth, pieces, values });
});

it("counts what JSON.parse makes of any text", () => {
  const weigh = (value: unknown): JsonWeight => {
    if (typeof value === "string") return { depth: 0, pieces: 1, values: 0 };
    if (typeof value !== "object" || value === null) return { depth: 0, pieces: 0, values: 0 };
    const inner = Object.values(value).map(weigh);
    const names = Array.isArray(value) ? 0 : inner.length;
    return {
      depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
      pieces: 1 + names + inner.reduce((sum, { pieces }) => sum + pieces, 0),
      values: Math.max(0, inner.length - 1) + inner.reduce((sum, { values }) => sum + values, 0),
    };
  };
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(weighJson(Buffer.from(text), NONE)).toEqual(weigh(JSON.parse(text)));
    }),
  );
});

it("stops as soon as a limit is passed", () => {
  expect(weighJson(Buffer.alloc(1_000, "["), { ...NONE, depth: 64 }).depth).toBe(65);
  expect(weighJson(Buffer.alloc(1_000, "[],"), { ...NONE, pieces: 100 }).pieces).toBe(101);
  expect(weighJson(Buffer.alloc(1_000, "1,"), { ...NONE, values: 100 }).values).toBe(101);
});
