import fc from "fast-check";
import { expect, it } from "vitest";
import { scanJson } from "../../../gateway/lib/json-scan.ts";
import { writtenTexts, type WrittenTexts } from "../../../gateway/lib/json-texts.ts";

const NONE = { depth: Infinity, pieces: Infinity, values: Infinity };
const LONG = 'said "so"\n\té\u0000\ud800 €';
/** Texts of which some are long enough to be known, and of which some are alike. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.integer({ min: 0, max: 60 }).map((times) => LONG.repeat(times)),
);
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.oneof(fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie("any"), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "content", LONG.repeat(30))), tie("any")),
  ),
})).any;

function textsOf(json: string): WrittenTexts | null {
  const bytes = Buffer.from(json);
  return writtenTexts(bytes, JSON.parse(json), scanJson(bytes, NONE));
}

const FILLER = { filler: "y".repeat(20_000) };

it("writes what JSON.stringify writes of the value, and of any other one", () => {
  fc.assert(
    fc.property(fc.array(value), value, (values, other) => {
      const said: unknown = JSON.parse(JSON.stringify({ ...FILLER, values }));
      const written = textsOf(JSON.stringify(said));
      const others = { other, said, undefined, list: [undefined, other, said] };
      expect(written?.stringify(others).toString() ?? JSON.stringify(others)).toBe(JSON.stringify(others));
    }),
    { numRuns: 300 },
  );
});

it("keeps the escapes in which a text was written, wherever it goes", () => {
  const long = `\\u0041\\/${"z".repeat(300)}`;
  const json = `{"a":{"b":["short","${long}"]},"c":"${"y".repeat(20_000)}"}`;
  const text = `A/${"z".repeat(300)}`;
  const written = textsOf(json)
    ?.stringify({ x: [text, `${text}.`], y: { text } })
    .toString();
  expect(written).toBe(`{"x":["${long}","A/${"z".repeat(300)}."],"y":{"text":"${long}"}}`);
});

it("writes what is many times as long as what came", () => {
  const said = { ...FILLER, list: ["a€"] };
  const others = Array.from({ length: 50 }, () => ({ ...FILLER, more: "€".repeat(2_000) }));
  expect(textsOf(JSON.stringify(said))?.stringify(others).toString()).toBe(JSON.stringify(others));
});

it.each([
  ["says a name twice", `{"a":"${"y".repeat(300)}","a":"${"y".repeat(20_000)}"}`],
  ["has numbers for names, which come first whatever their place", `{"b":"${"y".repeat(20_000)}","7":"x"}`],
  ["is short", `{"b":"${"y".repeat(300)}"}`],
  ["has no long text", JSON.stringify({ list: Array.from({ length: 2_000 }, (_, index) => `text ${index}`) })],
])("is not sure of what %s", (_, json) => {
  expect(textsOf(json)).toBeNull();
});
