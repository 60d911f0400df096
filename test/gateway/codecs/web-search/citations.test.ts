import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CitationReader, type CitedPart } from "../../../../gateway/codecs/web-search/citations.ts";

const known = (number: number): boolean => number >= 1 && number <= 3;

function read(pieces: readonly string[]): readonly CitedPart[] {
  const reader = new CitationReader(known);
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.flush()];
}

const written = (parts: readonly CitedPart[]): string =>
  parts.map((part) => (part.kind === "text" ? part.text : part.written)).join("");

/** Text as it is shown, each mark as its numbers. */
const shown = (parts: readonly CitedPart[]): string =>
  parts.map((part) => (part.kind === "text" ? part.text : `<${part.numbers.join("+")}>`)).join("");

describe("citations in a text", () => {
  it.each([
    ["It is tall [1].", "It is tall<1>."],
    ["It is tall[1][2].", "It is tall<1><2>."],
    ["Both [1, 3] say so", "Both<1+3> say so"],
    ["gpt-oss writes 【2†source】.", "gpt-oss writes<2>."],
    ["At the end [2]", "At the end<2>"],
    ["Nobody has [4] or [1, 9]", "Nobody has [4] or [1, 9]"],
    ["A link [1](https://example.com)", "A link [1](https://example.com)"],
    ["A footnote [1]: see", "A footnote [1]: see"],
    ["Code `a[1]` and text [1]", "Code `a[1]` and text<1>"],
    ["```\na[1] `\nb[2]\n```\nText [2]", "```\na[1] `\nb[2]\n```\nText<2>"],
    ["A stray ` sign\nand text [3]", "A stray ` sign\nand text<3>"],
    ["[x] [ ] [", "[x] [ ] ["],
  ])("%j reads %j", (text, expected) => {
    expect(shown(read([text]))).toBe(expected);
    expect(shown(read(text.split("")))).toBe(expected);
  });

  it("lose nothing, and are the same however the text comes in pieces", () => {
    const tokens = fc.constantFrom(
      "[1]",
      "[2, 3]",
      " ",
      "[",
      "]",
      "`",
      "```",
      "\n",
      "a",
      "(",
      "[9]",
      "【1】",
      "【2†x】",
      "1",
      ",",
      ":",
    );
    fc.assert(
      fc.property(fc.array(tokens), fc.array(fc.nat({ max: 5 })), (words, cuts) => {
        const text = words.join("");
        const pieces: string[] = [];
        let at = 0;
        for (const cut of cuts) {
          pieces.push(text.slice(at, at + cut));
          at += cut;
        }
        pieces.push(text.slice(at));
        expect(written(read(pieces))).toBe(text);
        expect(shown(read(pieces))).toBe(shown(read([text])));
      }),
      { numRuns: 1_000 },
    );
  });
});
