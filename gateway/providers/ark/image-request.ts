import { seedreamImageRequestSchema } from "../../contract/images.ts";
import { GatewayError } from "../../core/errors.ts";
import { readParameters, withoutCommonSettings, withoutNulls } from "../../core/images/image-request.ts";
import type { RequestedModel, ImageBody, ImageRequest } from "../../core/images/image-request.ts";
import { checkSize } from "../../core/images/image-rules.ts";
import { validate } from "../../core/validation.ts";

/** Max images of a series without a given number, references included (docs/providers/ark.md#images: up to 15). */
const LONGEST_SERIES = 15;

/**
 * The rules of the Seedream family, in Ark's own shape (docs/providers/ark.md#images).
 * @throws GatewayError naming what is wrong (400).
 */
export function buildSeedreamRequest(sent: ImageBody, model: RequestedModel): ImageRequest {
  const request = validate(seedreamImageRequestSchema(), withoutCommonSettings(sent, ["quality", "user"]));
  if ((request.n ?? 1) > 1) {
    throw new GatewayError(
      "unsupported_value",
      `Unsupported value for 'n': ${request.n}; Seedream makes several images as a series: send ` +
        `"sequential_image_generation": "auto" and "sequential_image_generation_options": {"max_images": ${request.n}}.`,
      { param: "n" },
    );
  }
  if (request.size != null) checkSize(request.size, model.rules.sizes, model.id, "size");
  const references = request.image == null ? 0 : Array.isArray(request.image) ? request.image.length : 1;
  if (references > model.rules.references.most) {
    const { most } = model.rules.references;
    throw new GatewayError(
      "invalid_value",
      `Invalid value for 'image': ${references} images; the model "${model.id}" takes ${most === 0 ? "none" : `at most ${most}`}.`,
      { param: "image" },
    );
  }
  const { n: _, ...body } = withoutNulls(request);
  const series = request.sequential_image_generation === "auto";
  const count = series
    ? (request.sequential_image_generation_options?.max_images ?? Math.max(1, LONGEST_SERIES - references))
    : 1;
  return {
    family: "seedream",
    body,
    changed: Object.keys(body).length !== Object.keys(sent).length,
    stream: request.stream === true,
    count,
    partials: 0,
    prompt: request.prompt,
    references,
    size: request.size ?? null,
    quality: null,
    seed: request.seed ?? null,
    parameters: readParameters(body),
  };
}
