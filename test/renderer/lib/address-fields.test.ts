import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressFields, getMoments, oneOf, read, words } from "../../../renderer/lib/address-fields.ts";

const fields = addressFields({
  q: words(5),
  kind: oneOf(["image", "video"]),
  least: read((text) => (/^\d+$/.test(text) ? Number(text) : null)),
});
const at = (text: string) => new URLSearchParams(text);

describe("the fields of an address", () => {
  it.each([
    ["", {}],
    ["q=+red+&kind=video&least=0", { q: "red", kind: "video", least: 0 }],
    ["q=a+very+long+one", { q: "a ver" }],
    ["q=+++&kind=toString&least=-1&other=1", {}],
  ])("%s say %o", (text, values) => {
    expect(fields.getValues(at(text))).toEqual(values);
  });

  it("are there whether or not they can be read, and can be taken out", () => {
    expect([fields.hasAny(at("kind=nonsense")), fields.hasAny(at("kind=&id=1"))]).toEqual([true, false]);
    expect(fields.none).toEqual({ q: null, kind: null, least: null });
  });

  it("are the same part of an address in any order and next to anything else", () => {
    const entry = fc.constantFrom<string[]>(
      ["q", "fox"],
      ["kind", "video"],
      ["least", "3"],
      ["id", "1"],
      ["panel", "x"],
    );
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ([name]) => name }), (entries) => {
        const part = fields.getPart(new URLSearchParams(entries));
        expect(part).toBe(fields.getPart(new URLSearchParams(entries.toReversed())));
        expect(part).not.toMatch(/\bid=|panel/);
        expect(fields.getValues(at(part))).toEqual(fields.getValues(new URLSearchParams(entries)));
      }),
    );
  });
});

describe("a time in an address", () => {
  it("counts back from a whole minute, and goes before days", () => {
    const now = Date.UTC(2026, 10, 22, 12, 30, 15);
    expect(getMoments({ range: "1h", from: 5 }, now)).toEqual({ since: now - 15_000 - 3_600_000 });
    expect(getMoments({ from: 0, to: 5 }, now)).toEqual({ since: 0, until: 5 });
    expect(getMoments({}, now)).toEqual({});
  });
});
