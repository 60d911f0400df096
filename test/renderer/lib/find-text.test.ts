import { describe, expect, it } from "vitest";
import { findText, MOST_MATCHES, type TextPiece } from "../../../renderer/lib/find-text.ts";

/** Pieces of texts; one that begins with "+" goes on in the element of the one before. */
const piecesOf = (...texts: string[]): TextPiece[] =>
  texts.map((text) => (text.startsWith("+") ? { text: text.slice(1), joined: true } : { text, joined: false }));
const placesIn = (expected: string, ...texts: string[]) =>
  findText(piecesOf(...texts), expected).map(({ from, to }) => [...from, ...to].join(" "));

describe("findText", () => {
  it.each([
    ["key", ["Create key", "Keys"], ["0 7 0 10", "1 0 1 3"]],
    ["KEY", ["key"], ["0 0 0 3"]],
    ["密钥", ["本地密钥", "密"], ["0 2 0 4"]],
    ["3 requests", ["3", "+ requests"], ["0 0 1 9"]],
    ["ab", ["a", "b"], []],
    ["a b", ["a\n   b"], ["0 0 0 6"]],
    ["  a ", ["a"], ["0 0 0 1"]],
    ["$0.10", ["$0.10 of $0.100", "$0x10"], ["0 0 0 5", "0 9 0 14"]],
    ["a.c/(x)[y]", ["a.c/(x)[y] abc"], ["0 0 0 10"]],
    ["\\d", ["7 \\d"], ["0 2 0 4"]],
    ["aa", ["aaaa"], ["0 0 0 2", "0 2 0 4"]],
    ["é", ["É"], ["0 0 0 1"]],
    ["", ["a"], []],
    [" ", ["a b"], []],
    ["x", [], []],
    ["a", ["", "+a", "+"], ["1 0 1 1"]],
  ] as const)("finds %j in %j", (target, texts, expected) => {
    expect(placesIn(target, ...texts)).toStrictEqual(expected);
  });

  it("stops after so many", () => {
    expect(findText(piecesOf("a".repeat(MOST_MATCHES + 1)), "a")).toHaveLength(MOST_MATCHES);
  });
});
