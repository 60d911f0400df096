import { GROK_RATIOS, grokImageRequestSchema } from "../../contract/images.ts";
import { findNearestRatio } from "../../core/images/aspect-ratio.ts";
import { readSides } from "../../core/images/image-rules.ts";
import { isRecord } from "../../lib/records.ts";
import type { ImagesAdapter, ProviderImages, ImagesCall } from "../images.ts";
import { findImages, buildImagesRequest } from "../openai-compatible/images.ts";
import { readParameters, withoutCommonSettings, withoutNulls, refuseStream } from "../../core/images/image-request.ts";
import type { RequestedModel, ImageBody, ImageRequest } from "../../core/images/image-request.ts";
import { checkCount } from "../../core/images/image-prompt.ts";
import { validate } from "../../core/validation.ts";

/** Grok Imagine (docs/providers/xai.md#images). */
export const images: ImagesAdapter = {
  families: { grok: grokRequest },
  toRequest: (call, secret) => buildImagesRequest(call, secret, overrides(call)),
  fromResponse: readImages,
  toUnits: null,
};

/** Reads `{data:[{url|b64_json}]}` of generated or edited images; billing is by their number only. */
export function readImages(body: unknown): ProviderImages | null {
  if (!isRecord(body) || !Array.isArray(body["data"])) return null;
  const images = findImages(body["data"]);
  return images.length === 0 ? null : { body, images, units: { image: images.length } };
}

/** Side length of a square with the same pixels, from which a size is made as `2k`: midway between the two. */
const LEAST_AT_2K = 1_448;

/** There is no `size` at xAI: clients of the common shape that send one get the nearest ratio and resolution. */
function overrides({ body }: ImagesCall): Readonly<Record<string, unknown>> {
  const { size } = body;
  if (size === undefined) return {};
  const sides = typeof size === "string" ? readSides(size) : null;
  if (sides === null) return { size: undefined };
  const [width, height] = sides;
  return {
    size: undefined,
    aspect_ratio: body["aspect_ratio"] ?? findNearestRatio(width, height, GROK_RATIOS),
    resolution: body["resolution"] ?? (Math.sqrt(width * height) < LEAST_AT_2K ? "1k" : "2k"),
  };
}

/**
 * The rules of grok-imagine-image (docs/providers/xai.md#images). The model takes `aspect_ratio` and `resolution`
 * instead of `size`.
 * @throws GatewayError naming the invalid field (400).
 */
function grokRequest(sent: ImageBody, model: RequestedModel): ImageRequest {
  // "auto" is the common shape's word for what happens without the field.
  const own = withoutCommonSettings(sent, sent["quality"] === "auto" ? ["quality"] : []);
  const request = validate(grokImageRequestSchema(), own);
  checkCount(request.n, model);
  refuseStream(request, model);
  const body = withoutNulls(request);
  return {
    family: "grok",
    body,
    changed: Object.keys(body).length !== Object.keys(sent).length,
    stream: false,
    count: request.n ?? 1,
    partials: 0,
    prompt: request.prompt,
    references: 0,
    size: request.resolution ?? null,
    quality: request.quality ?? null,
    seed: null,
    parameters: readParameters(body),
  };
}
