import fc from "fast-check";
import { expect, it } from "vitest";
import { createStoredNative } from "../../../../gateway/core/tasks/task-native.ts";

const SECRET = "sk-provider-0001";

it("is the very body where no key of ours is in it", () => {
  const body = {
    output: { url: "https://files.example/a.mp4?token=abcdefgh12345678&Signature=s%2B1" },
    x: [0, false, null],
  };
  expect(createStoredNative(body, [SECRET])).toBe(body);
  expect(createStoredNative(undefined, [SECRET])).toBeNull();
  expect(createStoredNative("plain words", [SECRET])).toBe("plain words");
});

it("leaves our keys out wherever they stand, and nothing else", () => {
  const body = { a: `refused ${SECRET}, ${SECRET}`, b: [{ [SECRET]: 1 }, SECRET], c: 0, d: false, e: null };
  expect(createStoredNative(body, [SECRET])).toEqual({
    a: "refused [redacted], [redacted]",
    b: [{ "[redacted]": 1 }, "[redacted]"],
    c: 0,
    d: false,
    e: null,
  });
  const quoted = 'a"b\\c\nd';
  expect(createStoredNative({ a: `x${quoted}y` }, [quoted])).toEqual({ a: "x[redacted]y" });
  expect(createStoredNative({ a: "none" }, ["", "one"])).toEqual({ a: "none" });
});

it("does not take a body that no journal should carry", () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(createStoredNative(deep, [])).toEqual({ omitted: "nested deeper than 64" });
  expect(createStoredNative({ a: "x".repeat(300_000) }, [])).toEqual({ omitted: "300008 characters" });
});

it("holds no key of ours, whatever JSON the provider sends", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string({ minLength: 4 }), (value, secret) => {
      const stored = JSON.stringify(createStoredNative({ value, secret, [secret]: [secret] }, [secret]));
      const texts: string[] = [];
      JSON.parse(stored, (name, one: unknown) => {
        texts.push(name);
        if (typeof one === "string") texts.push(one);
        return one;
      });
      // What is put in its place is allowed to look like it.
      if (!"[redacted]".includes(secret)) {
        expect(texts.filter((text) => text.replaceAll("[redacted]", "").includes(secret))).toEqual([]);
      }
    }),
  );
});
