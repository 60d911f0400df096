import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { putField, typedText } from "../../../gateway/core/form-fields.ts";

function fieldsOf(...named: readonly (readonly [string, unknown])[]): Record<string, unknown> | null {
  const fields: Record<string, unknown> = {};
  return named.every(([name, value]) => putField(fields, name, value)) ? fields : null;
}

/** An object as OpenAI's SDK writes it into a form. */
function written(value: unknown, name = ""): (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.flatMap((item) => written(item, `${name}[]`));
  if (typeof value !== "object" || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([inner, one]) => written(one, name === "" ? inner : `${name}[${inner}]`));
}

describe("names of a form's fields", () => {
  it("make objects and lists", () => {
    expect(
      fieldsOf(
        ["prompt", "A kite."],
        ["parameters[size]", "1280*720"],
        ["parameters[deep][er]", "x"],
        ["urls[]", "a"],
        ["urls[]", "b"],
        ["input[media][][type]", "first_frame"],
        ["input[media][][url]", "1"],
        ["input[media][][type]", "last_frame"],
        ["input[media][][image][url]", "2"],
      ),
    ).toEqual({
      prompt: "A kite.",
      parameters: { size: "1280*720", deep: { er: "x" } },
      urls: ["a", "b"],
      input: {
        media: [
          { type: "first_frame", url: "1" },
          { type: "last_frame", image: { url: "2" } },
        ],
      },
    });
  });

  it.each(["a a", "a[b] a[b]", "a a[b]", "a[b] a", "a[b] a[]", "a[] a[b]", "a[][] b"])(
    "that say two things are reported: %s",
    (names) => {
      expect(fieldsOf(...names.split(" ").map((name, index) => [name, index] as const))).toBeNull();
    },
  );

  it.each(["a[", "a]", "[a]", "a[b", "a[b]c", "a[[b]]", "", "a[1][2][3][4][5][6][7][8][9]"])(
    "in another spelling are one name: %j",
    (name) => {
      expect(fieldsOf([name, 1])).toEqual({ [name]: 1 });
    },
  );

  it("never reach what objects inherit", () => {
    for (const name of [
      "__proto__[polluted]",
      "a[__proto__][polluted]",
      "constructor[prototype][polluted]",
      "a[][__proto__][polluted]",
    ]) {
      const fields = fieldsOf([name, "yes"]);
      expect(JSON.stringify(fields)).toContain('"polluted":"yes"');
    }
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.hasOwn(fieldsOf(["__proto__", "text"]) ?? {}, "__proto__")).toBe(true);
  });

  it("bring back any object of texts, numbers and lists of texts", () => {
    const name = fc.stringMatching(/^[a-z_]{1,4}$/);
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.array(fc.string(), { minLength: 1, maxLength: 3 }));
    const inner = fc.dictionary(name, leaf, { minKeys: 1, maxKeys: 3 });
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(leaf, inner)), (body) => {
        expect(fieldsOf(...written(body))).toEqual({ ...body });
      }),
    );
  });
});

it.each([
  ["true", true],
  ["false", false],
  ["0", 0],
  ["-1", -1],
  ["0.5", 0.5],
  ["", ""],
  [" 1", " 1"],
  ["01", "01"],
  ["True", true],
  ["FALSE", false],
  ["0.0", 0],
  ["1.0", 1],
  [".5", 0.5],
  ["1.", 1],
  ["1e3", 1000],
  ["-1E-3", -0.001],
  ["+49123", "+49123"],
  ["1e400", "1e400"],
  ["0x10", "0x10"],
  ["1_000", "1_000"],
  ["1,5", "1,5"],
  [" ", " "],
  ["Infinity", "Infinity"],
  ["NaN", "NaN"],
  ["16:9", "16:9"],
  ["null", "null"],
  ["12345678901234567890", "12345678901234567890"],
])("the text %j is %j", (text, value) => expect(typedText(text)).toBe(value));
