import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { listEmbeddingInputs, mostTokens } from "../../../../gateway/core/embeddings/embedding-inputs.ts";
import { getCommonLimits, splitInputs } from "../../../../gateway/core/embeddings/embedding-parts.ts";

const sizes = (inputs: readonly string[], limits: { inputs: number; tokens: number }): readonly number[] =>
  splitInputs(inputs, limits).map((part) => part.inputs.length);
import { countTokens } from "../../../../gateway/core/money/text-tokens.ts";

describe("splitting", () => {
  test.each([
    [1, 10, [1]],
    [10, 10, [10]],
    [11, 10, [10, 1]],
    [2_049, 2_048, [2_048, 1]],
  ])("%i inputs in parts of at most %i", (count, batch, expected) => {
    const inputs = Array.from({ length: count }, () => "a");
    expect(sizes(inputs, { inputs: batch, tokens: Infinity })).toEqual(expected);
  });

  it("keeps within a total of tokens, and leaves an input alone that is too long by itself", () => {
    const long = "word ".repeat(800);
    expect(mostTokens(long)).toBeGreaterThan(1_000);
    expect(sizes(["a", "b", long, "c", "d"], { inputs: 10, tokens: 1_000 })).toEqual([2, 1, 2]);
    expect(sizes([long, long], { inputs: 10, tokens: 1_000 })).toEqual([1, 1]);
  });

  it("keeps order and all inputs, and no part breaks a limit that it need not break", () => {
    const limitsOf = fc.record({ inputs: fc.integer({ min: 1, max: 12 }), tokens: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 40 }), { minLength: 1 }),
        limitsOf,
        (inputs, limits) => {
          const parts = splitInputs(inputs, limits);
          expect(parts.flatMap((part) => part.inputs)).toEqual(inputs);
          let offset = 0;
          for (const part of parts) {
            expect(part.offset).toBe(offset);
            offset += part.inputs.length;
            expect(part.inputs.length).toBeGreaterThan(0);
            expect(part.inputs.length).toBeLessThanOrEqual(limits.inputs);
            const tokens = part.inputs.reduce((sum, input) => sum + mostTokens(input), 0);
            if (part.inputs.length > 1) expect(tokens).toBeLessThanOrEqual(limits.tokens);
          }
        },
      ),
    );
  });

  it("takes the smaller of two providers' limits", () => {
    const limits = [
      { inputs: 2_048, tokens: 300_000 },
      { inputs: 256, tokens: Infinity },
    ];
    expect(getCommonLimits(limits)).toEqual({ inputs: 256, tokens: 300_000 });
  });
});

describe("inputs", () => {
  test.each([
    ["a", ["a"]],
    [
      ["a", "b"],
      ["a", "b"],
    ],
    [[1, 2], [[1, 2]]],
    [
      [[1], [2, 3]],
      [[1], [2, 3]],
    ],
  ])("%j are %j", (input, expected) => {
    expect(listEmbeddingInputs(input)).toEqual(expected);
  });

  it("have no more tokens than are allowed for: prose, code, digits, Chinese, emoji", () => {
    const samples = [
      "The quick brown fox jumps over the lazy dog.",
      "for (let i = 0; i < n; i++) { sum += a[i] * b[i]; }",
      "3.14159265358979323846",
      "你好，世界。今天天气很好。",
      "🙂🙃😀",
      "a",
    ];
    for (const text of samples) expect(mostTokens(text)).toBeGreaterThanOrEqual(countTokens(text));
    expect(mostTokens([5, 6, 7])).toBe(3);
  });
});
