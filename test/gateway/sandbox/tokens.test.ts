import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTokens, excerpt, getTokens } from "../../../gateway/sandbox/tokens.ts";

const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom("👨‍👩‍👧‍👦", "🇩🇪", "é", "中文", " ", "\n", "12345", "word", "ก็", "한국"))
    .map((parts) => parts.join("")),
);

describe("the sandbox's tokenizer", () => {
  it.each([
    ["", []],
    ["Say hello", ["Say", " hello"]],
    ["international", ["intern", "ationa", "l"]],
    ["12345", ["123", "45"]],
    ["中文", ["中", "文"]],
    ["a 👨‍👩‍👧‍👦!", ["a", " 👨‍👩‍👧‍👦", "!"]],
    ["e\u0301a", ["e\u0301a"]],
    ["a\n\nb", ["a", "\n", "\nb"]],
  ])("cuts %j", (text, tokens) => {
    expect(getTokens(text)).toEqual(tokens);
  });

  it("loses nothing and never ends inside a surrogate pair", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const tokens = getTokens(text);
        expect(tokens.join("")).toBe(text);
        expect(tokens.every((token) => token !== "" && (token.isWellFormed() || !text.isWellFormed()))).toBe(true);
        expect(countTokens(text)).toBe(tokens.length);
      }),
    );
  });

  it("counts a very long text in proportion", () => {
    expect(countTokens(" four".repeat(1_000_000))).toBe(1_000_000);
  });

  it("shortens a text to whole characters", () => {
    expect(excerpt("short", 80)).toBe("short");
    fc.assert(
      fc.property(
        anyText.filter((text) => text.isWellFormed()),
        fc.integer({ min: 1, max: 5 }),
        (text, limit) => {
          const short = excerpt(text, limit);
          expect(short.isWellFormed()).toBe(true);
          expect(short === text || (short.endsWith("…") && text.startsWith(short.slice(0, -1)))).toBe(true);
          expect(countTokens(short)).toBeLessThanOrEqual(limit + 1);
        },
      ),
    );
  });
});
