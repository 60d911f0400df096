import { grokImageRequestSchema } from "../../contract/images.ts";
import { parametersOf, withoutCommonSettings, withoutNulls } from "../../core/images/image-request.ts";
import type { AskedModel, ImageBody, ImageRequest } from "../../core/images/image-request.ts";
import { checkCount } from "../../core/images/image-prompt.ts";
import { refuseStream } from "../../core/images/image-stream-rule.ts";
import { validate } from "../../core/validation.ts";

/**
 * The rules of grok-imagine-image (docs/providers/xai.md#images). It has `aspect_ratio` and `resolution` where others
 * have `size`.
 * @throws GatewayError naming what is wrong (400).
 */
export function grokRequest(asked: ImageBody, model: AskedModel): ImageRequest {
  // "auto" is the common shape's word for what happens without the field.
  const own = withoutCommonSettings(asked, asked["quality"] === "auto" ? ["quality"] : []);
  const request = validate(grokImageRequestSchema, own);
  checkCount(request.n, model);
  refuseStream(request, model);
  const body = withoutNulls(request);
  return {
    family: "grok",
    body,
    changed: Object.keys(body).length !== Object.keys(asked).length,
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
