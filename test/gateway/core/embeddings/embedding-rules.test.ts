import { describe, expect, it, test } from "vitest";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import { checkDimensions } from "../../../../gateway/core/embeddings/embedding-rules.ts";

const check = (model: string, dimensions: number | null | undefined): number | null =>
  checkDimensions(dimensions, model, findModel(model)?.embedding);

describe("specification, /v1/embeddings `dimensions`", () => {
  test.each([64, 128, 256, 512, 768, 1_024, 1_536, 2_048])("text-embedding-v4 accepts %i", (dimensions) => {
    expect(check("text-embedding-v4", dimensions)).toBe(dimensions);
  });
  test.each(["eta-4-large", "eta-4", "eta-4-lite"])("%s accepts 256, 512, 1024 and 2048 alone", (model) => {
    for (const dimensions of [256, 512, 1_024, 2_048]) expect(check(model, dimensions)).toBe(dimensions);
    for (const dimensions of [7, 64, 768, 1_023, 3_072])
      expect(() => check(model, dimensions)).toThrow(
        `Invalid value for 'dimensions': ${dimensions}; the model "${model}" accepts 256, 512, 1024 and 2048.`,
      );
  });
});

describe("other models", () => {
  test.each([
    ["zeta-embedding-001", [128, 768, 1_000, 3_072], [7, 127, 3_073], "whole numbers from 128 to 3072"],
    ["zeta-embedding-2-preview", [128, 3_072], [127], "whole numbers from 128 to 3072"],
    ["text-embedding-3-small", [1, 512, 1_536], [0, 1_537, 1.5, -1], "whole numbers from 1 to 1536"],
    ["text-embedding-3-large", [1, 3_072], [3_073, Number.NaN, 1e300], "whole numbers from 1 to 3072"],
  ])("%s", (model, good, bad, words) => {
    for (const dimensions of good) expect(check(model, dimensions)).toBe(dimensions);
    for (const dimensions of bad) expect(() => check(model, dimensions)).toThrow(words);
  });

  it("text-embedding-ada-002 takes none", () => {
    expect(() => check("text-embedding-ada-002", 1_536)).toThrow(
      "'dimensions' is not accepted for the model \"text-embedding-ada-002\": its vectors always have 1536 numbers.",
    );
    expect(check("text-embedding-ada-002", null)).toBeNull();
  });

  it("models that only a provider's list knows are left to the provider, but for what is no length", () => {
    expect(check("nomic-embed-text", 7)).toBe(7);
    for (const bad of [0, -1, 2.5])
      expect(() => check("nomic-embed-text", bad)).toThrow("expected a whole number of at least 1");
  });
});

it("null and nothing are the model's own length", () => {
  expect([check("eta-4", null), check("eta-4", undefined)]).toEqual([null, null]);
});
