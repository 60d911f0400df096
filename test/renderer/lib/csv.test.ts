import * as fc from "fast-check";
import { expect, test } from "vitest";
import { harmless, toCsv, toTsv, usdCell } from "../../../renderer/lib/csv.ts";
import { fileName } from "../../../renderer/lib/download.ts";

test.each([
  ["plain", "plain"],
  ['a "quoted" name', '"a ""quoted"" name"'],
  ["a,b", '"a,b"'],
  ["two\nlines", '"two\nlines"'],
  [" padded ", '" padded "'],
  ['=HYPERLINK("http://evil","x")', `"'=HYPERLINK(""http://evil"",""x"")"`],
  ["+1", "'+1"],
  ["-2+3", "'-2+3"],
  ["-1e3", "'-1e3"],
  ["-0.0421", "-0.0421"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\ttext", "'\ttext"],
  ["\rtext", `"'\rtext"`],
  ["\ntext", `"'\ntext"`],
  [" =1", "' =1"],
  ["＝1+1", "'＝1+1"],
  ["gpt-5=new", "gpt-5=new"],
  ["", ""],
])("%j becomes %j", (cell, written) => {
  expect(toCsv([[cell, "end"]])).toBe(`\uFEFF${written},end\r\n`);
});

test("no cell begins as a formula does, whatever it holds", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (cell) => {
      expect(harmless(cell).trimStart()).not.toMatch(/^([=+@]|-(?!\d+(\.\d+)?$))/);
    }),
  );
});

test("what is pasted has a line a row and runs nothing", () => {
  expect(
    toTsv([
      ["a\tb", "c\r\nd"],
      ["=1+1", ""],
      ["\n@SUM(A1)", "-2"],
      ['"=1+1"', '"open'],
    ]),
  ).toBe(`a b\tc d\n'=1+1\t\n' @SUM(A1)\t-2\n"""=1+1"""\t"""open"`);
});

test.each([
  [0, "0.000000000"],
  [1, "0.000000001"],
  [1_234_567_890, "1.234567890"],
  [Number.MAX_SAFE_INTEGER, "9007199.254740991"],
])("%i nano are %s USD", (nano, usd) => {
  expect(usdCell(nano)).toBe(usd);
});

test("file names hold no sign that a file system refuses", () => {
  expect(fileName(["postern", "Spend by model", "1/2 to 3:4, UTC"], "csv")).toBe(
    "postern-spend-by-model-1-2-to-3-4-utc.csv",
  );
  expect(fileName(["用量", "../.."], "png")).toBe("用量.png");
});
