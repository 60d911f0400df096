import fc from "fast-check";
import { expect, it } from "vitest";
import { imageTokenUnits } from "../../../../gateway/core/images/image-usage.ts";

it.each([
  [
    "text, pictures and output",
    { input_tokens: 544, output_tokens: 1_056, input_tokens_details: { text_tokens: 44, image_tokens: 500 } },
    { input: 44, image_input: 500, image_output: 1_056 },
  ],
  [
    "output told apart",
    { input_tokens: 44, output_tokens: 4_170, output_tokens_details: { text_tokens: 10, image_tokens: 4_160 } },
    { input: 44, output: 10, image_output: 4_160 },
  ],
  [
    "cached text",
    { input_tokens: 100, output_tokens: 1, input_tokens_details: { text_tokens: 100, cached_tokens: 60 } },
    { input: 40, cached_input: 60, image_output: 1 },
  ],
  ["no details", { input_tokens: 7, output_tokens: 9 }, { input: 7, image_output: 9 }],
  ["input alone", { input_tokens: 7 }, { input: 7 }],
  ["nothing of anything", { input_tokens: 0, output_tokens: 0 }, {}],
])("reads %s", (_what, usage, units) => {
  expect(imageTokenUnits(usage)).toEqual(units);
});

it.each([null, undefined, [], "7", {}, { generated_images: 1 }, { input_tokens: -1, output_tokens: "many" }])(
  "is null for %j",
  (usage) => {
    expect(imageTokenUnits(usage)).toBeNull();
  },
);

it("never counts a token twice, whatever a provider tells", () => {
  const count = fc.nat(100_000);
  const usages = fc.record({
    input_tokens: count,
    output_tokens: count,
    input_tokens_details: fc.record({ text_tokens: count, image_tokens: count, cached_tokens: count }),
    output_tokens_details: fc.record({ text_tokens: count, image_tokens: count }),
  });
  fc.assert(
    fc.property(usages, (usage) => {
      const units = Object.values(imageTokenUnits(usage) ?? {});
      expect(units.every((quantity) => quantity > 0)).toBe(true);
      expect(units.reduce((sum, quantity) => sum + quantity, 0)).toBe(usage.input_tokens + usage.output_tokens);
    }),
  );
});
