import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { encodeVector, isVector } from "../../../../gateway/core/embeddings/embedding-vectors.ts";

/** What an SDK does with base64. */
function decoded(text: string): readonly number[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

describe("base64", () => {
  it("is little-endian float32", () => {
    expect(encodeVector([1, -2, 0.5], "base64")).toBe("AACAPwAAAMAAAAA/");
    expect(encodeVector("AACAPwAAAMAAAAA/", "float")).toEqual([1, -2, 0.5]);
  });

  it("holds the float32 nearest to each number, and a float32 itself to the bit", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e30, max: 1e30 }), { minLength: 1 }), (numbers) => {
        expect(decoded(encodeVector(numbers, "base64") as string)).toEqual(numbers.map(Math.fround));
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (floats) => {
        const there = encodeVector(floats, "base64");
        expect(encodeVector(there, "float")).toEqual(floats);
        expect(encodeVector(encodeVector(there, "float"), "base64")).toBe(there);
      }),
    );
  });

  it("reads the shortest digits of a float32 as that float32", () => {
    // 0.1 as providers write it, and with all digits of its float32.
    expect(encodeVector([0.1], "base64")).toBe(encodeVector([0.10000000149011612], "base64"));
  });
});

it("leaves alone what is in the wanted encoding already", () => {
  const numbers = [0.1, 0.2];
  expect(encodeVector(numbers, "float")).toBe(numbers);
  expect(encodeVector("AACAPw==", "base64")).toBe("AACAPw==");
});

describe("a vector", () => {
  test.each([[[0]], [[1, -2e-8]], ["AACAPw=="], ["AACAPwAAAMAAAAA/"]])("%j is one", (value) => {
    expect(isVector(value)).toBe(true);
  });
  test.each([
    [[]],
    [["1"]],
    [[null]],
    [[1, Infinity]],
    [""],
    ["AAA="],
    ["AACAPw"],
    ["not base64!!"],
    [null],
    [{}],
    [1],
  ])("%j is invalid", (value) => {
    expect(isVector(value)).toBe(false);
  });
});
