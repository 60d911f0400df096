import fc from "fast-check";
import { expect, test } from "vitest";
import { getSpans, type JsonPath } from "../../../gateway/lib/json-paths.ts";

const textAt = (json: string, paths: readonly JsonPath[]): readonly (string | null)[] =>
  getSpans(Buffer.from(json), paths).map((span) => span && Buffer.from(json).toString("utf8", span.start, span.end));

test.each([
  ['{"a":[1,{"b":"x"}]}', ["a", 1, "b"], '"x"'],
  [' { "a" : [ 1 , { "b" : "ä\\"]" } ] , "c":2} ', ["a", 1, "b"], '"ä\\"]"'],
  ['{"\\u0061":1.50}', ["a"], "1.50"],
  ['{"a":{},"b":[]}', ["b"], "[]"],
  ['{"a":{},"b":[]}', ["b", 0], null],
  ['{"a":"text"}', ["a", 0], null],
  ['{"a":1}', ["b"], null],
  ['[{"a":null}]', [0, "a"], "null"],
  ['{"0":1}', [0], null],
  ["{}", [], "{}"],
])("in %s at %j stands %s", (json, path, expected) => {
  expect(textAt(json, [path])).toEqual([expected]);
});

/** Every path of a value, with what stands there. */
function everyPath(value: unknown, path: JsonPath = []): (readonly [JsonPath, unknown])[] {
  const own = [[path, value] as const];
  if (Array.isArray(value)) return [...own, ...value.flatMap((item, index) => everyPath(item, [...path, index]))];
  if (typeof value !== "object" || value === null) return own;
  return [...own, ...Object.entries(value).flatMap(([name, item]) => everyPath(item, [...path, name]))];
}

test("every path of any value leads to its text, asked one by one or together, however it is spaced", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 2), (text, spaces) => {
      const value = JSON.parse(text) as unknown;
      const json = JSON.stringify(value, null, spaces);
      const all = everyPath(value);
      const spans = textAt(
        json,
        all.map(([path]) => path),
      );
      expect(spans.map((each) => JSON.parse(each ?? "") as unknown)).toEqual(all.map(([, each]) => each));
      for (const [path, each] of all) expect(JSON.parse(textAt(json, [path])[0] ?? "")).toEqual(each);
    }),
  );
});
