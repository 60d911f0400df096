import { expect, it } from "vitest";
import { readDocument, readJson } from "../../../gateway/core/imports/documents.ts";
import { Fields } from "../../../gateway/core/imports/fields.ts";
import { parseFile } from "../../../gateway/core/setup/parse-file.ts";
import { parseBoundedYaml } from "../../../gateway/core/yaml.ts";
import { expectLinear } from "../../support/growth.ts";

const lines = (size: number, line: (index: number) => string): string =>
  Array.from({ length: size }, (_, index) => line(index)).join("\n");

it.each([
  ["a key twice", "a: 1\nb:\n  c: 1\n  c: 2\n", { line: 4, message: "Map keys must be unique" }],
  ["a flow key twice", "a: {b: 1, b: 2}", { line: 1, message: "Map keys must be unique" }],
  [
    "anchors in use too often",
    `a: &a 1\nb:\n${"  - *a\n".repeat(1_001)}`,
    { line: 1_003, message: "Anchors are used more than 1000 times" },
  ],
  ["many entries", "a:\n".repeat(20_001), { line: null, message: expect.stringContaining("more than 20000 lines") }],
  ["many brackets", `a: ${"[".repeat(201)}`, { line: null, message: "The file is nested more than 200 levels deep." }],
])("says what is wrong with %s", (_what, text, problem) => expect(parseFile(text)).toContainEqual(problem));

it("reads the same key in several maps, and merges", () =>
  expect(readDocument("a.yaml", "a: &a {b: 1, c: 2}\nd:\n  <<: *a\n  b: 3\n").data).toEqual({
    a: { b: 1, c: 2 },
    d: { b: 3, c: 2 },
  }));

it("does not parse JSON that is nested deeper than any set-up", () =>
  expect(readJson("[".repeat(500_000))).toBe(undefined));

it("parses YAML in linear time", () =>
  expectLinear(3_000, (size) => lines(size, (index) => `k${index}: v`), parseBoundedYaml));

it("hides secrets in linear time, of several the longest", () => {
  const fields = new Fields();
  for (const secret of ["sk-proj-1234", "sk-proj-12345678", "sk-proj-99999999"]) fields.secret(secret);
  fields.source("", { a: "is sk-proj-123456789 and sk-proj-99999999" });
  expect(fields.list()[0]?.value).toBe("is sk-pr…56789 and sk-pr…9999");
  const keys = (size: number): Fields => {
    const many = new Fields();
    const data = Object.fromEntries(
      Array.from({ length: size }, (_, index) => [`K${index}_KEY`, `sk-proj-${index}abcdefgh`]),
    );
    for (const key of Object.values(data)) many.secret(key);
    many.source("", data).recordTaken(["K0_KEY"], "key");
    return many;
  };
  expectLinear(1_500, keys, (many) => many.list());
});
