import { readSides } from "../../core/images/image-rules.ts";
import { isRecord } from "../../lib/records.ts";
import { buildChoiceImages } from "../openai-compatible/images.ts";
import type { ImagesAdapter, ProviderImages, ImagesCall } from "../images.ts";
import { buildNativeHeaders } from "./headers.ts";
import { gammaRequest } from "./image-request.ts";

/** Qwen Image and its relatives by the synchronous message style (docs/providers/dashscope.md#images). */
export const images: ImagesAdapter = {
  families: { gamma: gammaRequest },
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/api/v1/services/aigc/multimodal-generation/generation",
    headers: buildNativeHeaders(secret, false),
    body: JSON.stringify({ ...buildNativeBody(call.body), model: call.upstreamModel }),
  }),
  fromResponse: readResponse,
  toUnits: null,
};

/** The provider's own shape, which the gamma family has already; the common shape for models that only it lists. */
function buildNativeBody(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { input, parameters, prompt, size, n, seed, negative_prompt, watermark, prompt_extend } = body;
  if (isRecord(input)) return { input, ...(isRecord(parameters) ? { parameters } : {}) };
  const sides = typeof size === "string" ? readSides(size) : null;
  return {
    input: { messages: [{ role: "user", content: [{ text: prompt }] }] },
    // Undefined fields are not serialized.
    parameters: {
      size: sides === null ? undefined : sides.join("*"),
      n,
      seed,
      negative_prompt,
      watermark,
      prompt_extend,
    },
  };
}

function readResponse(body: unknown, call: ImagesCall): ProviderImages | null {
  if (!isRecord(body)) return null;
  const images = buildChoiceImages(body);
  if (images.length === 0) return null;
  const units = { image: images.length };
  if (isRecord(call.body["input"]))
    return { body: { ...body, usage: readUsage(body, images.length, call) }, images, units };
  return { body: { data: images.map((image) => (image.kind === "url" ? { url: image.url } : {})) }, images, units };
}

/** Fills in `image_count`, `width` and `height` of the specification from the request if the provider omits them. */
function readUsage(
  body: Readonly<Record<string, unknown>>,
  count: number,
  call: ImagesCall,
): Readonly<Record<string, unknown>> {
  const usage = isRecord(body["usage"]) ? body["usage"] : {};
  const parameters = isRecord(call.body["parameters"]) ? call.body["parameters"] : {};
  const sides = typeof parameters["size"] === "string" ? readSides(parameters["size"]) : null;
  return {
    image_count: count,
    ...(sides === null ? {} : { width: sides[0], height: sides[1] }),
    ...usage,
  };
}
