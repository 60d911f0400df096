import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withTextField } from "../../../gateway/lib/json-splice.ts";

const put = (json: string, value = "new"): string | null =>
  withTextField(Buffer.from(json), "model", value)?.toString("utf8") ?? null;

describe("a text put in the place of another", () => {
  it.each([
    ['{"model":"old"}', '{"model":"new"}'],
    ['{ "a" : 1,\r\n\t"model" :  "old" , "b":[1.50] }', '{ "a" : 1,\r\n\t"model" :  "new" , "b":[1.50] }'],
    ['{"model":"o\\"l\\\\","x":"}"}', '{"model":"new","x":"}"}'],
    ['{"\\u006dodel":"old"}', '{"\\u006dodel":"new"}'],
    [
      '{"a":{"model":"inner"},"b":[{"model":"inner"}],"model":"old"}',
      '{"a":{"model":"inner"},"b":[{"model":"inner"}],"model":"new"}',
    ],
    ['{"x":"model","model":"old"}', '{"x":"model","model":"new"}'],
    ['{"x":"\\\\","model":"old"}', '{"x":"\\\\","model":"new"}'],
    ['{"system":"日本 🎈 \\ud83c","model":"old"}', '{"system":"日本 🎈 \\ud83c","model":"new"}'],
    ['{"model":"one","a":1,"model":"two"}', '{"model":"new","a":1,"model":"new"}'],
  ])("changes nothing else in %s", (before, after) => {
    expect(put(before)).toBe(after);
  });

  it.each(['{"model":5}', '{"a":1}', "{}", '{"a":{"model":"inner"}}', '{"a":"model"}', '{"model":null,"b":["model"]}'])(
    "is refused where there is none: %s",
    (json) => {
      expect(put(json)).toBeNull();
    },
  );

  it("escapes what is put in", () => {
    expect(put('{"model":"old"}', 'a"b\\c')).toBe('{"model":"a\\"b\\\\c"}');
  });

  it("means the same object with that one field changed, for any object and any spacing", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
        fc.string(),
        fc.string(),
        fc.constantFrom(undefined, 1, "\t"),
        (rest, before, after, spacing) => {
          const object = { ...rest, model: before };
          const spliced = withTextField(Buffer.from(JSON.stringify(object, null, spacing)), "model", after);
          expect(spliced?.toString("utf8")).toBe(JSON.stringify({ ...object, model: after }, null, spacing));
        },
      ),
    );
  });
});
