import fc from "fast-check";
import { expect, it, test } from "vitest";
import { repeatsNames, scanJson, type JsonLimits } from "../../../gateway/lib/json-scan.ts";

const NONE = { depth: Infinity, pieces: Infinity, values: Infinity };

const repeats = (json: string): boolean => repeatsNames(scanJson(Buffer.from(json), NONE), JSON.parse(json));

it.each([
  ["7", 0, 0, 0],
  ['"a"', 0, 1, 0],
  ["[]", 1, 1, 0],
  ['{"a":[1,2,{"b":"c"}]}', 3, 6, 2],
  ['["[[[[", "\\"[[", "\\\\", [] ]', 2, 5, 3],
  ["[[[", 3, 3, 0],
  ['["unclosed,', 1, 2, 0],
  // What closes nothing is no JSON: 32 MiB of it must not be looked at.
  ["]]]][", 0, 0, 0],
  ['[]]["a",1]', 1, 1, 0],
])("%s is %i deep and of %i pieces, and %i values stand before others", (text, depth, pieces, values) => {
  expect(scanJson(Buffer.from(text), NONE)).toMatchObject({ depth, pieces, values });
});

it("counts what JSON.parse makes of any text", () => {
  const weigh = (value: unknown): JsonLimits => {
    if (typeof value === "string") return { depth: 0, pieces: 1, values: 0 };
    if (typeof value !== "object" || value === null) return { depth: 0, pieces: 0, values: 0 };
    const inner = Object.values(value).map(weigh);
    const names = Array.isArray(value) ? 0 : inner.length;
    return {
      depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
      pieces: 1 + names + inner.reduce((sum, { pieces }) => sum + pieces, 0),
      values: Math.max(0, inner.length - 1) + inner.reduce((sum, { values }) => sum + values, 0),
    };
  };
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(scanJson(Buffer.from(text), NONE)).toMatchObject(weigh(JSON.parse(text)));
    }),
  );
});

it("stops as soon as a limit is passed", () => {
  expect(scanJson(Buffer.alloc(1_000, "["), { ...NONE, depth: 64 }).depth).toBe(65);
  expect(scanJson(Buffer.alloc(1_000, "[],"), { ...NONE, pieces: 100 }).pieces).toBe(101);
  expect(scanJson(Buffer.alloc(1_000, "1,"), { ...NONE, values: 100 }).values).toBe(101);
});

test.each([
  ['{"n":1,"n":2}', true],
  ['{"n":1,"\\u006e":2}', true],
  ['{"a":{"n":1,"n":1}}', true],
  ['{"a":[{"n":1},{"n":[{"x":1,"x":1}]}]}', true],
  ['{"__proto__":1,"__proto__":2}', true],
  ['{"a":{"n":1},"b":{"n":1}}', false],
  ['{"__proto__":{"a":1},"constructor":2}', false],
  ['{"a":"b:c\\":\\\\\\":d","e:f":"\\\\"}', false],
  ['{"a\\"b":":","":"::"}', false],
  ["[]", false],
  ['":"', false],
  ["7", false],
  ['{"n":{"n":1},"m":[{"n":1}],"o":1}', false],
  ['{"n":{"m":1},"n":2}', true],
  ['{"Aa":1,"BB":2}', false],
])("%s says a name twice: %s", (json, expected) => {
  expect(repeats(json)).toBe(expected);
});

it("is false for whatever JSON.stringify writes, and true with one member more of a name that is there", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.jsonValue(), (value, other) => {
      const json = JSON.stringify(value);
      expect(repeats(json)).toBe(false);
      expect(repeats(JSON.stringify({ x: value }, null, 2))).toBe(false);
      const [name = ""] = Object.keys(value);
      const more = `{${JSON.stringify(name)}:${JSON.stringify(other)},${json.slice(1)}`;
      expect(repeats(`[${more}]`)).toBe(true);
    }),
  );
});

it("reads texts full of quotes, and a million backslashes, once", () => {
  const quotes = JSON.stringify({ a: '"'.repeat(300_000), b: "\\".repeat(1_000_000) });
  // A look back from each quote would need minutes.
  expect(repeats(quotes)).toBe(false);
});

it("sees a name again after many others, and none where none exists", () => {
  for (const count of [2, 31, 32, 33, 1_000]) {
    const members = Array.from({ length: count }, (_, index) => `"name${index}":{"name${index}":0}`);
    expect(repeats(`{${members.join(",")}}`)).toBe(false);
    expect(repeats(`{${members.join(",")},"name0":1}`)).toBe(true);
  }
});
