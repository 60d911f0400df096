import fc from "fast-check";
import { expect, it, test } from "vitest";
import { jsonShape } from "../../../gateway/core/json-shape.ts";
import { hasRepeatedNames } from "../../../gateway/lib/json-names.ts";

const repeats = (json: string): boolean =>
  hasRepeatedNames(Buffer.from(json), jsonShape(JSON.parse(json), 1_000)?.members ?? 0);

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

it("takes no longer than the reading itself: texts full of quotes, and a million backslashes", () => {
  const quotes = JSON.stringify({ a: '"'.repeat(300_000), b: "\\".repeat(1_000_000) });
  const begun = performance.now();
  expect(repeats(quotes)).toBe(false);
  expect(performance.now() - begun).toBeLessThan(1_000);
});
