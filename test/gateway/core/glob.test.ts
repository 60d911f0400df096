import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchesGlob, modelAllowed } from "../../../gateway/core/glob.ts";

test.each([
  ["gpt-*", "gpt-5.4", true],
  ["gpt-*", "gpt-", true],
  ["gpt-*", "chatgpt-4o", false],
  ["*", "", true],
  ["*", "openrouter/deepseek/deepseek-chat", true],
  ["openrouter/*", "openrouter/deepseek/deepseek-chat", true],
  ["*-mini", "gpt-5.4-mini", true],
  ["*-mini", "gpt-5.4-mini-2026-03-17", false],
  ["gpt-5.?", "gpt-5.4", true],
  ["gpt-5.?", "gpt-5.", false],
  ["gpt-5.?", "gpt-5.44", false],
  ["gpt-5.4", "gpt-5.4", true],
  ["gpt-5.4", "gpt-5x4", false],
  ["gpt-5.4", "gpt-5.4-mini", false],
  ["*5*mini*", "gpt-5.4-mini", true],
  ["a*b*c", "a1b2c", true],
  ["a*b*c", "acb", false],
  ["a**b", "ab", true],
  ["", "", true],
  ["", "x", false],
  ["[a-z]+", "abc", false],
  ["GPT-*", "gpt-5.4", false],
])("%j matches %j: %s", (pattern, text, matches) => {
  expect(matchesGlob(pattern, text)).toBe(matches);
});

test("agrees with a regular expression of the same meaning", () => {
  const symbol = fc.constantFrom("a", "b", "*", "?", ".");
  fc.assert(
    fc.property(
      fc.string({ unit: symbol, maxLength: 8 }),
      fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 10 }),
      (pattern, text) => {
        const source = pattern.replace(/[.]/g, "\\.").replace(/\*+/g, ".*").replace(/\?/g, ".");
        expect(matchesGlob(pattern, text)).toBe(new RegExp(`^${source}$`).test(text));
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a pattern that would take a regular expression for ever does not", () => {
  expect(matchesGlob(`${"a*".repeat(100)}b`, "a".repeat(10_000))).toBe(false);
});

describe("a key's models", () => {
  test("null allows everything, an empty list nothing", () => {
    expect(modelAllowed(null, ["gpt-5.4"])).toBe(true);
    expect(modelAllowed([], ["gpt-5.4"])).toBe(false);
  });

  test("one pattern and one of the model's names are enough", () => {
    expect(modelAllowed(["claude-*", "wan2.6-*"], ["alpha2.6-t2v", "wan2.6-t2v"])).toBe(true);
    expect(modelAllowed(["claude-*"], ["alpha2.6-t2v", "wan2.6-t2v"])).toBe(false);
  });
});
