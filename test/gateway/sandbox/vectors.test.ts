import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { getVector } from "../../../gateway/sandbox/vectors.ts";

const WHOLE = 2_048;
const cosine = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, number, index) => sum + number * (b[index] ?? 0), 0);
const near = (a: string, b: string, dimensions: number): number =>
  cosine(getVector(a, WHOLE, dimensions), getVector(b, WHOLE, dimensions));

const CAT = "The cat sat on the mat and purred.";

describe("near and far", () => {
  test.each([64, 256, 1_024, 2_048])(
    "texts that share words are nearer than texts that do not, in %i numbers",
    (size) => {
      const close = near(CAT, "A cat was sitting on a mat, purring.", size);
      const far = near(CAT, "Quarterly revenue grew by nine percent in Europe.", size);
      expect(close).toBeGreaterThan(far + 0.2);
      expect(near(CAT, CAT, size)).toBeCloseTo(1, 6);
    },
  );

  it("tells the right answer to each question", () => {
    const pairs = [
      ["How do I reset my password?", "To reset your password, open the account settings."],
      ["What does shipping cost?", "Shipping costs five euros within Germany."],
      ["Which languages are supported?", "Supported languages are English, German and Chinese."],
      ["数据库如何备份？", "备份数据库的方法是导出快照。"],
    ] as const;
    for (const [question, response] of pairs) {
      const scores = pairs.map(([, other]) => ({ other, score: near(question, other, 1_024) }));
      expect(scores.toSorted((a, b) => b.score - a.score)[0]?.other).toBe(response);
    }
  });

  it("counts capitals and forms of the same character as equal", () => {
    expect(near("Ｃａｆé", "CAFE\u0301", 256)).toBeCloseTo(1, 6);
  });
});

describe("every vector", () => {
  it("is of unit length, of the asked dimensions, and the same for the same text", () => {
    const dimensionsOf = fc.constantFrom(1, 64, 256, 1_024, WHOLE);
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 60, unit: "binary" }), dimensionsOf, (text, dimensions) => {
        const vector = getVector(text, WHOLE, dimensions);
        expect(vector).toHaveLength(dimensions);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
        expect(getVector(text, WHOLE, dimensions)).toEqual(vector);
        expect(vector.some((number) => Object.is(number, -0) || !Number.isFinite(number))).toBe(false);
      }),
    );
  });

  it("shortened, is the beginning of the whole one, brought back to unit length", () => {
    const whole = getVector(CAT, WHOLE, WHOLE).slice(0, 256);
    const length = Math.hypot(...whole);
    const short = getVector(CAT, WHOLE, 256);
    for (const [index, number] of short.entries()) expect(number).toBeCloseTo((whole[index] ?? 0) / length, 6);
  });

  it("of tokens is nearer the more tokens are shared", () => {
    const of = (...tokens: readonly number[]): readonly number[] => getVector(tokens, WHOLE, 256);
    expect(cosine(of(1, 2, 3), of(1, 2, 4))).toBeGreaterThan(cosine(of(1, 2, 3), of(7, 8, 9)) + 0.2);
  });
});
