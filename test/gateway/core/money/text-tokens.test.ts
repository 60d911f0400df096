import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { countTokens as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as o200k } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { estimateTextTokens, mostTextTokens } from "../../../../gateway/core/money/text-tokens.ts";

const root = join(import.meta.dirname, "../../../..");
const truth = (text: string): number => Math.max(o200k(text), cl100k(text));

/** Numbers that look random and are the same in every run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
const random = chance(42);
const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
const of = (characters: string, length: number): string =>
  Array.from({ length }, () => characters.charAt(between(0, characters.length - 1))).join("");
const words = (characters: string, least: number, most: number, separator = " "): string =>
  Array.from({ length: 1_500 }, () => of(characters, between(least, most))).join(separator);
const many = (make: () => string, separator = "", count = 1_000): string =>
  Array.from({ length: count }, make).join(separator);
const block = (first: number, last: number): string => many(() => String.fromCodePoint(between(first, last)));

const SMALL = "abcdefghijklmnopqrstuvwxyz";
const CAPITALS = SMALL.toUpperCase();
const DIGITS = "0123456789";
const HEX = `${DIGITS}abcdef`;
const BASE64 = `${CAPITALS}${SMALL}${DIGITS}+/`;
const SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

const DENSE: Readonly<Record<string, string>> = {
  "small letters": of(SMALL, 10_000),
  "words of small letters": words(SMALL, 1, 9),
  capitals: of(CAPITALS, 10_000),
  "words of capitals": words(CAPITALS, 2, 8),
  letters: of(SMALL + CAPITALS, 10_000),
  "capitalised words": many(() => of(CAPITALS, 1) + of(SMALL, between(1, 7)), " "),
  "camel case": many(() => of(CAPITALS, 1) + of(SMALL, between(1, 4))),
  hex: of(HEX, 10_000),
  "hex in capitals": of(`${DIGITS}ABCDEF`, 10_000),
  "hex words": words(HEX, 8, 8),
  "bytes in hex": words(HEX, 2, 2),
  uuids: many(() => [8, 4, 4, 4, 12].map((length) => of(HEX, length)).join("-"), "\n", 300),
  digits: of(DIGITS, 10_000),
  numbers: words(DIGITS, 1, 4),
  "a table of numbers": many(() => (random() * 1_000).toFixed(3), ","),
  dates: many(() => new Date(1e12 + random() * 1e12).toISOString(), "\n", 300),
  base64: of(BASE64, 10_000),
  "base64 for addresses": of(`${BASE64}-_`, 10_000),
  base32: of(`${CAPITALS}234567`, 10_000),
  passwords: words(`${BASE64}${SIGNS}`, 16, 16),
  "all of ascii": of(Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join(""), 10_000),
  signs: of(SIGNS, 10_000),
  "signs in words": words(SIGNS, 1, 3),
  brackets: of("{}[]()", 5_000),
  "one sign": "=".repeat(5_000),
  spaces: " ".repeat(10_000),
  "white space": of(" \n\t", 10_000),
  indented: many(() => `${"\t".repeat(between(0, 8))}x`, "\n"),
  "control characters": of("\u0001\u0002\u0008\u001f\u007f", 3_000),
  "one letter again and again": "a".repeat(10_000),
  "two letters again and again": "ab".repeat(5_000),
  "letters and digits in turn": "a1".repeat(5_000),
  escapes: many(() => `\\u${of(HEX, 4)}`),
  "percent escapes": many(() => `%${of(`${DIGITS}ABCDEF`, 2)}`),
  addresses: many(() => `https://${of(SMALL, 8)}.com/${of(HEX, 6)}?${of(SMALL, 3)}=${of(HEX, 6)}`, "\n", 200),
  dna: of("ACGT", 10_000),
  json: JSON.stringify(
    Array.from({ length: 300 }, (_, id) => ({ id, name: of(SMALL, 6), price: random(), on: id % 2 > 0 })),
  ),
  "minified code": many(() => `function ${of(SMALL, 1)}(${of(SMALL, 1)},e){return ${of(SMALL, 2)}(e)&&!0};`, "", 400),
  "common ideographs": block(0x4e00, 0x5fff),
  "rare ideographs": block(0x3400, 0x4dbf),
  kana: block(0x3041, 0x30fe),
  hangul: block(0xac00, 0xd7a3),
  thai: block(0xe01, 0xe5b),
  devanagari: block(0x904, 0x97f),
  tamil: block(0xb85, 0xbef),
  tibetan: block(0xf00, 0xfbf),
  georgian: block(0x10a0, 0x10ff),
  arabic: block(0x620, 0x6d3),
  hebrew: block(0x5d0, 0x5ea),
  cyrillic: block(0x410, 0x44f),
  greek: block(0x391, 0x3c9),
  "accented letters": block(0xc0, 0x17f),
  emoji: block(0x1f300, 0x1f64f),
  flags: block(0x1f1e6, 0x1f1ff),
  families: "👩‍👩‍👧‍👦🤷🏻‍♂️".repeat(300),
  "box drawing": block(0x2500, 0x257f),
  "mathematical letters": block(0x1d400, 0x1d7ff),
};

describe("as many tokens as a text can have", () => {
  test.each(Object.keys(DENSE))("%s have no more than that at any tokenizer at hand", (name) => {
    const text = DENSE[name] ?? "";
    expect(mostTextTokens(text)).toBeGreaterThanOrEqual(truth(text));
  });

  test.each(
    "de fr es it pt nl pl cs hu fi sv tr vi id ro ru uk bg el he ar fa ur hi bn ta te th ka zh ja ko".split(" "),
  )("names in %s have no more than that", (language) => {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    const list: string[] = [];
    for (const first of CAPITALS) for (const second of CAPITALS) list.push(names.of(first + second) ?? "");
    const text = list.filter((name) => name !== "").join(", ");
    expect(mostTextTokens(text)).toBeGreaterThanOrEqual(truth(text));
  });

  test("English prose is held with a third more than it has, and below 1.6 times of it", () => {
    const folder = join(root, "docs/decisions");
    const text = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("\n");
    const ratio = mostTextTokens(text) / truth(text);
    expect(ratio).toBeGreaterThan(1.33);
    expect(ratio).toBeLessThan(1.6);
  });

  test("code is held with a third more than it has", () => {
    const folder = join(root, "gateway/services/chat");
    const text = readdirSync(folder)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("\n");
    expect(mostTextTokens(text)).toBeGreaterThan(1.33 * truth(text));
  });

  test("any text of random characters has no more than that", () => {
    const units = ["grapheme", "binary", "binary-ascii"] as const;
    const alphabets = [HEX, BASE64, SMALL, CAPITALS, DIGITS, SIGNS, `${SMALL}${SMALL}   `, `{}[]",:${DIGITS}ab `];
    const text = fc.oneof(
      ...units.map((unit) => fc.string({ unit, maxLength: 200 })),
      ...alphabets.map((letters) => fc.string({ unit: fc.constantFrom(...Array.from(letters)), maxLength: 200 })),
    );
    fc.assert(
      fc.property(text, (dense) => {
        // The start and the end of each text are counted with its message.
        expect(mostTextTokens(dense) + 2).toBeGreaterThanOrEqual(truth(dense));
      }),
      { numRuns: 2_000 },
    );
  });

  test("is never more than four for each character, nor negative", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const most = mostTextTokens(text);
        expect(Number.isSafeInteger(most) && most >= 0).toBe(true);
        expect(most).toBeLessThanOrEqual(4 * Array.from(text).length);
      }),
    );
  });

  test("two texts after each other have no more than both apart, but for where they meet", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), fc.string({ maxLength: 50 }), (first, second) => {
        expect(mostTextTokens(first + second)).toBeLessThanOrEqual(mostTextTokens(first) + mostTextTokens(second) + 18);
      }),
    );
  });
});

/** First code points (hexadecimal) and what those up to the next row cost, in thousandths of a token. */
const COSTS =
  "0 1250, 9 800, b 1250, d 800, e 1250, 20 320, 21 880, 30 1250, 3a 880, 41 1120, 5b 880, 61 1120, 7b 880, 7f 1250, " +
  "80 2000, c0 1900, 280 2000, 380 1850, 400 1400, 460 2000, 5c0 1850, 700 2000, 800 3000, 900 2200, e00 1800, " +
  "e80 3000, 2000 1900, 2040 3000, 3000 1900, 3100 3000, 4e00 2500, a000 3000, ac00 2700, d800 2200, e000 3000, " +
  "ff00 2200, 10000 4000, 110000 0";

describe("what characters cost in thousandths of a token", () => {
  const thousandths = (text: string) => mostTextTokens(text.repeat(1_000));

  test("by their script, after a control character", () => {
    const rows = COSTS.split(", ").map((row) => row.split(" "));
    const starts = rows.map(([first = ""]) => Number.parseInt(first, 16));
    for (const [index, [, cost]] of rows.slice(0, -1).entries())
      for (const point of [starts[index] ?? 0, (starts[index + 1] ?? 0) - 1])
        expect([point, thousandths(`\0${String.fromCodePoint(point)}`) - 1_250]).toEqual([point, Number(cost)]);
  });

  test.each([
    ["a word behind a space", " b", 320 + 960],
    ["a letter behind an accent", "éb", 1_900 + 600],
    ["a usual pair", " ac", 320 + 960 + 20],
    ["a pair of rare ones", " ad", 320 + 960 + 150],
    ["a pair of no word", " zx", 320 + 960 + 1_600],
    ["the last letter behind the first", " az", 320 + 960 + 1_600],
    ["a capital behind a small letter", " aC", 320 + 960 + 1_120],
    ["a small letter behind a capital", " Ac", 320 + 960 + 20],
    ["capitals", " AC", 320 + 960 + 20 + 450],
    ["digits", "-70", 880 + 1_250 + 1_000],
    ["a letter between digits", "7c", 1_250 + 1_120],
    ["rows of one sign", "-++", 880 + 880 + 220],
    ["empty lines", "-\n\n", 880 + 800 + 450],
    ["lines of two kinds", "\r\n", 800 + 800],
    ["an indent", "-  ", 880 + 320 + 300],
  ])("of %s", (_, text, cost) => {
    expect(thousandths(text)).toBe(cost);
  });

  test("of a short text, with a token for what may be no word", () => {
    const texts = ["", "b", "-b-b", "-b-b-", "-b".repeat(8), `${"-b".repeat(8)}-`, "é-b-b"];
    expect(texts.map(mostTextTokens)).toEqual([0, 2, 4, 6, 17, 17, 6]);
  });

  test("of letters in a row, wherever it begins: 500 more for each beyond 16", () => {
    for (let before = 17; before < 50; before++)
      for (let length = 15; length < 60; length++) {
        const row = 1_120 + 150 * (length - 1) + 500 * Math.max(0, length - 16);
        for (const [after, more] of [
          ["", 0],
          [`--${"a".repeat(17)}`, 880 + 220 + 1_120 + 150 * 16 + 500],
        ] as const)
          expect(mostTextTokens("-".repeat(before) + "a".repeat(length) + after)).toBe(
            Math.ceil((880 + 220 * (before - 1) + row + more) / 1_000),
          );
      }
  });

  test("of a text that is longer than what is kept for looking at texts", () => {
    for (const length of [21_844, 21_846, 65_538]) expect(mostTextTokens("漢".repeat(length))).toBe(2.5 * length);
  });
});

describe("about how many tokens", () => {
  test.each([
    ["", 0],
    ["abcdefgh", 2],
    ["你好世界", 4],
    ["你好 ok", 2.75],
    ["🙂", 1.25],
  ])("%j has %d", (text, tokens) => {
    expect(estimateTextTokens(text)).toBe(tokens);
  });
});
