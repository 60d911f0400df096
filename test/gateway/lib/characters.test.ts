import { expect, it } from "vitest";
import { characterCount, isLongerThan } from "../../../gateway/lib/characters.ts";

it("counts code points, not UTF-16 units", () => {
  expect(characterCount("")).toBe(0);
  expect(characterCount("aé語🐈")).toBe(4);
});

it("compares by code points", () => {
  expect(isLongerThan("🐈🐈", 2)).toBe(false);
  expect(isLongerThan("🐈🐈", 1)).toBe(true);
  expect(isLongerThan("abc", 3)).toBe(false);
});
