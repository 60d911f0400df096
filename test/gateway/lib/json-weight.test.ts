import fc from "fast-check";
import { expect, it } from "vitest";
import { weighJson } from "../../../gateway/lib/json-weight.ts";

const NONE = { depth: Infinity, pieces: Infinity };

it.each([
  ["7", 0, 0],
  ['"a"', 0, 1],
  ["[]", 1, 1],
  ['{"a":[1,2,{"b":"c"}]}', 3, 6],
  ['["[[[[", "\\"[[", "\\\\", [] ]', 2, 5],
  ["[[[", 3, 3],
  ['["unclosed', 1, 2],
  ["]]]][", 0, 1],
])("%s is %i deep and of %i pieces", (text, depth, pieces) => {
  expect(weighJson(Buffer.from(text), NONE)).toEqual({ depth, pieces });
});

it("counts what JSON.parse makes of any text", () => {
  const weigh = (value: unknown): { depth: number; pieces: number } => {
    if (typeof value === "string") return { depth: 0, pieces: 1 };
    if (typeof value !== "object" || value === null) return { depth: 0, pieces: 0 };
    const inner = Object.values(value).map(weigh);
    const names = Array.isArray(value) ? 0 : inner.length;
    return {
      depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
      pieces: 1 + names + inner.reduce((sum, { pieces }) => sum + pieces, 0),
    };
  };
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(weighJson(Buffer.from(text), NONE)).toEqual(weigh(JSON.parse(text)));
    }),
  );
});

it("stops as soon as a limit is passed", () => {
  expect(weighJson(Buffer.alloc(1_000, "["), { depth: 64, pieces: Infinity }).depth).toBe(65);
  expect(weighJson(Buffer.alloc(1_000, "[],"), { depth: 64, pieces: 100 }).pieces).toBe(101);
});
