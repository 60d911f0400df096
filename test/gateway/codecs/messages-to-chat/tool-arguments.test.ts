import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsedArguments, ToolArguments } from "../../../../gateway/codecs/messages-to-chat/tool-arguments.ts";

function inPieces(pieces: readonly string[]): string {
  const whole = new ToolArguments();
  return pieces.map((piece) => whole.push(piece)).join("") + whole.end();
}

/** `text` cut at the given places. */
function cut(text: string, places: readonly number[]): readonly string[] {
  const sorted = places.map((place) => place % (text.length + 1)).toSorted((one, other) => one - other);
  return [...sorted, text.length].map((end, index) => text.slice(sorted[index - 1] ?? 0, end));
}

const anyObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
const places = fc.array(fc.nat(), { maxLength: 8 });

describe("what models write as arguments", () => {
  it.each<[string, string, unknown]>([
    ["an object", '{"a":1,"b":[true,null]}', { a: 1, b: [true, null] }],
    ["nothing", "", {}],
    ["white space", " \n", {}],
    ["null", "null", {}],
    ["a number", "7", {}],
    ["prose", "I would rather not", {}],
    ["a code fence", '```json\n{"a":1}\n```', { a: 1 }],
    ["an object and more", '{"a":1} and {"b":2}', { a: 1 }],
    ["a string that holds the object", '"{\\"a\\":1}"', { a: 1 }],
    ["a list of the object", '[{"a":1}]', { a: 1 }],
    ["a list of others", "[1,2]", {}],
    ["raw line breaks and tabs", '{"a":"one\ntwo\tthree"}', { a: "one\ntwo\tthree" }],
    ["an escape that is none", '{"a":"it\\\'s \\$5"}', { a: "it\\'s \\$5" }],
    ["a comma too many", '{"a":[1,2, ],\n}', { a: [1, 2] }],
    ["an end in a string", '{"a":"one', { a: "one" }],
    ["an end behind a backslash", '{"a":"one\\', { a: "one\\" }],
    ["an end in an escape", '{"a":"\\u00e', { a: "\u00e0" }],
    ["an end in a name", '{"a":1,"b', { a: 1, b: null }],
    ["an end behind a name", '{"a":1,"b"', { a: 1, b: null }],
    ["an end behind a colon", '{"a":', { a: null }],
    ["an end behind a comma", '{"a":1,', { a: 1 }],
    ["an end in a word", '{"a":tru', { a: true }],
    ["an end in a number", '{"a":1.', { a: 1 }],
    ["an end in a list", '{"a":[{"b":[1', { a: [{ b: [1] }] }],
    ["nonsense in braces", "{what}", {}],
  ])("%s", (_, text, object) => {
    expect(parsedArguments(text)).toEqual(object);
  });
});

it("passes sound JSON on as it is, wherever it is cut", () => {
  fc.assert(
    fc.property(anyObject, places, fc.constantFrom(0, 2), (object, where, indent) => {
      const text = JSON.stringify(object, null, indent);
      expect(inPieces(cut(text, where))).toBe(text);
    }),
  );
});

it("makes an object of any beginning of one, and the same wherever it is cut", () => {
  fc.assert(
    fc.property(anyObject, fc.nat(), places, (object, length, where) => {
      const whole = JSON.stringify(object);
      const text = whole.slice(0, length % (whole.length + 1));
      expect(JSON.parse(inPieces(cut(text, where)))).toEqual(parsedArguments(text));
    }),
  );
});

it("never throws, and does not depend on the cuts, whatever comes", () => {
  const noise = fc.string({ unit: fc.constantFrom(...Array.from("{}[]\":,\\ntrue0 '\n`")) });
  fc.assert(
    fc.property(noise, places, (text, where) => {
      expect(parsedArguments(text)).toBeTypeOf("object");
      expect(inPieces(cut(text, where))).toBe(inPieces([text]));
    }),
  );
});
