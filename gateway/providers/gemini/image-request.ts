import { geminiImageRequestSchema, promptImageRequestSchema } from "../../contract/images.ts";
import type { GeminiImageRequest } from "../../contract/images.ts";
import { checkCount } from "../../core/images/image-prompt.ts";
import { readParameters, withoutNulls, refuseStream } from "../../core/images/image-request.ts";
import type { RequestedModel, ImageBody, ImageRequest } from "../../core/images/image-request.ts";
import { checkSize } from "../../core/images/image-rules.ts";
import { validate } from "../../core/validation.ts";

/**
 * The rules of Gemini's image models: their own `contents`, or the shape with a `prompt`
 * (docs/specification.md#images).
 * @throws GatewayError naming what is wrong (400).
 */
export function buildGeminiRequest(body: ImageBody, model: RequestedModel): ImageRequest {
  refuseStream(body, model);
  return body["contents"] == null ? fromPrompt(body, model) : contentsRequest(body);
}

/** Reads a request with `contents` for a model that only its provider lists. */
export function contentsRequest(body: ImageBody): ImageRequest {
  const request = validate(geminiImageRequestSchema(), body);
  const parts = request.contents.flatMap((content) => content.parts);
  const config = request.generationConfig;
  const seed = config?.["seed"];
  return {
    family: "gemini",
    body: request,
    changed: false,
    stream: false,
    count: config?.candidateCount ?? 1,
    partials: 0,
    prompt: parts.flatMap(({ text }) => text ?? []).join("\n"),
    references: parts.filter(isPicture).length,
    size: config?.imageConfig?.imageSize ?? null,
    quality: null,
    seed: typeof seed === "number" && Number.isSafeInteger(seed) ? seed : null,
    parameters: config ?? {},
  };
}

function isPicture(part: GeminiImageRequest["contents"][number]["parts"][number]): boolean {
  return ["inlineData", "inline_data", "fileData", "file_data"].some((name) => part[name] != null);
}

function fromPrompt(sent: ImageBody, model: RequestedModel): ImageRequest {
  const request = validate(promptImageRequestSchema(), sent);
  checkCount(request.n, model);
  if (request.size != null) checkSize(request.size, model.rules.sizes, model.id, "size");
  const body = withoutNulls(request);
  return {
    family: "gemini",
    body,
    changed: true,
    stream: false,
    count: request.n ?? 1,
    partials: 0,
    prompt: request.prompt,
    references: 0,
    size: request.size ?? null,
    quality: null,
    seed: null,
    parameters: readParameters(body),
  };
}
