import { expect, test } from "vitest";
import { exceedsDepth } from "../../../gateway/core/json-depth.ts";

const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));

test.each([
  [1, 0, true],
  [1, 1, false],
  [64, 64, false],
  [65, 64, true],
])("%i deep exceeds %i: %s", (depth, limit, exceeds) => {
  expect(exceedsDepth(nested(depth), limit)).toBe(exceeds);
});

test("counts objects and arrays alike, wherever the depth is", () => {
  expect(exceedsDepth({ a: 1, b: [{ c: {} }] }, 4)).toBe(false);
  expect(exceedsDepth({ a: 1, b: [{ c: {} }] }, 3)).toBe(true);
  expect(exceedsDepth([[], [], [[]]], 2)).toBe(true);
});

test("scalars have no depth", () => {
  for (const value of [null, 1, "x", true]) expect(exceedsDepth(value, 0)).toBe(false);
});

test("survives a depth bomb that would exhaust the stack", () => {
  expect(exceedsDepth(nested(2_000_000), 100)).toBe(true);
});

test("sees depth after an own __proto__ field", () => {
  expect(exceedsDepth(JSON.parse('{"__proto__":{"a":{"b":{}}}}'), 3)).toBe(true);
});
