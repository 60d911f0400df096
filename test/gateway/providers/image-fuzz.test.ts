import fc from "fast-check";
import { expect, it } from "vitest";
import { allModels } from "../../../gateway/catalog/lookup.ts";
import { GatewayError } from "../../../gateway/core/errors.ts";
import { computeImageHold } from "../../../gateway/core/images/image-cost.ts";
import { buildImageRequest } from "../../../gateway/providers/image-families.ts";

const models = allModels().filter((model) => model.capabilities.includes("image"));
const FIELDS = [
  "prompt",
  "n",
  "size",
  "quality",
  "background",
  "output_format",
  "output_compression",
  "response_format",
  "stream",
  "partial_images",
  "style",
  "seed",
  "input",
  "parameters",
  "contents",
  "generationConfig",
  "image",
  "sequential_image_generation",
  "aspect_ratio",
  "__proto__",
  "constructor",
] as const;

/** Bodies between the plausible and the absurd. */
const bodies = fc.dictionary(
  fc.constantFrom(...FIELDS),
  fc.oneof(
    fc.constantFrom<unknown>("A fox", "1024x1024", "1024*1024", "auto", "png", "high", 1, 2, true, null, 0),
    fc.anything({ maxDepth: 3, withNullPrototype: true }),
    fc.constant({ messages: [{ role: "user", content: [{ text: "A fox" }] }] }),
    fc.constant([{ parts: [{ text: "A fox" }] }]),
  ),
  { maxKeys: 8 },
);

it("every image model of the catalog has rules", () => {
  expect(models.length).toBeGreaterThan(15);
  for (const { id, image } of models) expect([id, image?.family]).toEqual([id, expect.any(String)]);
});

it("whatever is sent is a request that can be held, or a 400 that names a field", () => {
  fc.assert(
    fc.property(fc.constantFrom(null, ...models), bodies, (model, body) => {
      const id = model?.id ?? "unknown";
      const before = structuredClone(body);
      try {
        const request = buildImageRequest({ ...body, model: id }, id, model?.image ?? null);
        expect(request.count).toBeGreaterThanOrEqual(1);
        expect(Number.isSafeInteger(computeImageHold(request, model?.price ?? null))).toBe(true);
        expect(request.body["model"]).toBe(id);
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        expect(error.status).toBe(400);
        expect(error.details.param).toMatch(/./);
      }
      expect(body).toEqual(before);
    }),
    { numRuns: 2_000 },
  );
});
