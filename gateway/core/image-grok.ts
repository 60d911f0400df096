import { grokImageRequestSchema } from "../contract/images.ts";
import { parametersOf, withoutNulls } from "./image-request.ts";
import type { AskedModel, ImageBody, ImageRequest } from "./image-request.ts";
import { checkCount } from "./image-prompt.ts";
import { refuseStream } from "./image-stream-rule.ts";
import { validate } from "./validation.ts";

/**
 * The rules of grok-imagine-image (upstreams reference 7.2). It has `aspect_ratio` and `resolution` where others have
 * `size`.
 * @throws GatewayError naming what is wrong (400).
 */
export function grokRequest(asked: ImageBody, model: AskedModel): ImageRequest {
  const request = validate(grokImageRequestSchema, asked);
  checkCount(request.n, model);
  refuseStream(request, model);
  const body = withoutNulls(request);
  return {
    family: "grok",
    body,
    changed: Object.keys(body).length !== Object.keys(request).length,
    stream: false,
    count: request.n ?? 1,
    partials: 0,
    prompt: request.prompt,
    references: 0,
    size: request.resolution ?? null,
    quality: request.quality ?? null,
    seed: null,
    parameters: parametersOf(body),
  };
}
