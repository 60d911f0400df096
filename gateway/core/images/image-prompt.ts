import { promptImageRequestSchema } from "../../contract/images.ts";
import type { PromptImageRequest } from "../../contract/images.ts";
import { characterCount, isLongerThan } from "../../lib/characters.ts";
import { isRecord } from "../../lib/records.ts";
import { GatewayError } from "../errors.ts";
import { IMAGE_QUALITIES, qualityFor } from "./image-quality.ts";
import type { ImageQuality } from "./image-quality.ts";
import { parametersOf, withoutNulls } from "./image-request.ts";
import type { AskedModel, ImageBody, ImageRequest } from "./image-request.ts";
import { checkSize } from "./image-rules.ts";
import type { ImageRules } from "./image-rules.ts";
import { validate } from "../validation.ts";

/** Fields of gpt-image that dall-e refuses, and the values that ask it for nothing that it does not do anyway. */
const DELTA_ONLY: readonly (readonly [string, ReadonlySet<unknown>])[] = [
  ["background", new Set(["auto", "opaque"])],
  ["output_format", new Set(["png"])],
  ["output_compression", new Set([100])],
  ["moderation", new Set(["auto", "low"])],
  ["partial_images", new Set([0])],
  ["stream", new Set([false])],
];

/**
 * The rules of the `prompt` shape: OpenAI's gpt-image (delta) and dall-e (epsilon), docs/providers/openai.md#images.
 * @throws GatewayError naming what is wrong (400).
 */
export function promptRequest(asked: ImageBody, model: AskedModel): ImageRequest {
  const request = validate(promptImageRequestSchema, asked);
  const { rules } = model;
  const delta = rules.family === "delta";
  checkPrompt(request.prompt, model);
  checkCount(request.n, model);
  if (request.size != null) checkSize(request.size, rules.sizes, model.id, "size");
  checkStream(request);
  if (delta) checkOutput(request);
  const body = withoutNulls(request);
  if (!delta) dropDeltaFields(body, model.id);
  // gpt-image always answers in base64 and refuses the field. Clients of dall-e expect what the specification gives.
  if (delta) delete body["response_format"];
  else body["response_format"] ??= "b64_json";
  // dall-e-3 alone has styles.
  if (!rules.qualities.includes("hd")) delete body["style"];
  const quality = request.quality == null ? null : qualityOf(request.quality, rules, model.id);
  if (quality === null) delete body["quality"];
  else body["quality"] = quality;
  return requestOf(request, body, rules.family);
}

/**
 * The same shape for a model that only its provider knows: types and OpenAI's bounds are checked, values are the provider's
 * business. Base64 unless the client asks for an URL: that is what clients expect of a model that they do not know.
 */
export function unlistedRequest(asked: ImageBody): ImageRequest {
  const request = validate(promptImageRequestSchema, asked);
  checkStream(request);
  const body = withoutNulls(request);
  if (request.stream !== true) body["response_format"] ??= "b64_json";
  return requestOf(request, body, null);
}

/**
 * A provider's own `input` and `parameters`, for a model that only its provider knows (DashScope's,
 * docs/providers/dashscope.md#images).
 */
export function unlistedInput(asked: ImageBody): ImageRequest {
  const parameters = isRecord(asked["parameters"]) ? asked["parameters"] : {};
  const { n, size, seed } = parameters;
  return {
    family: null,
    body: asked,
    changed: false,
    stream: false,
    count: typeof n === "number" && Number.isSafeInteger(n) && n > 0 ? n : 1,
    partials: 0,
    prompt: "",
    references: 0,
    size: typeof size === "string" ? size : null,
    quality: null,
    seed: typeof seed === "number" && Number.isSafeInteger(seed) ? seed : null,
    parameters,
  };
}

function requestOf(
  request: PromptImageRequest,
  body: Record<string, unknown>,
  family: ImageRequest["family"],
): ImageRequest {
  return {
    family,
    body,
    changed: !sameFields(request, body),
    stream: request.stream === true,
    count: request.n ?? 1,
    partials: request.stream === true ? (request.partial_images ?? 0) : 0,
    prompt: request.prompt,
    references: 0,
    size: typeof body["size"] === "string" ? body["size"] : null,
    quality: typeof body["quality"] === "string" ? body["quality"] : null,
    seed: typeof body["seed"] === "number" ? body["seed"] : null,
    parameters: parametersOf(body),
  };
}

function sameFields(before: ImageBody, after: ImageBody): boolean {
  const names = Object.keys(after);
  return names.length === Object.keys(before).length && names.every((name) => before[name] === after[name]);
}

function checkPrompt(prompt: string, { id, rules }: AskedModel): void {
  const limit = rules.promptLimit;
  if (limit === null || !isLongerThan(prompt, limit)) return;
  throw new GatewayError(
    "invalid_value",
    `Invalid value for 'prompt': ${characterCount(prompt)} characters; the model "${id}" takes at most ${limit}.`,
    { param: "prompt" },
  );
}

/** @throws GatewayError when a call asks for more images than its model makes at once. */
export function checkCount(n: number | null | undefined, { id, rules }: AskedModel): void {
  if (n == null || n <= rules.most) return;
  throw new GatewayError(
    "invalid_value",
    `Invalid value for 'n': ${n}; the model "${id}" makes ${rules.most === 1 ? "one image per call" : `at most ${rules.most} images per call`}.`,
    { param: "n" },
  );
}

function checkStream(request: PromptImageRequest): void {
  if (request.stream === true || (request.partial_images ?? 0) === 0) return;
  throw new GatewayError("invalid_value", "'partial_images' is only accepted together with 'stream': true.", {
    param: "partial_images",
  });
}

/** How background, format and compression of gpt-image go together. */
function checkOutput(request: PromptImageRequest): void {
  const format = request.output_format ?? "png";
  if (request.background === "transparent" && format === "jpeg") {
    throw new GatewayError(
      "invalid_value",
      `Invalid value for 'background': "transparent" needs 'output_format' png or webp; it is "jpeg".`,
      { param: "background" },
    );
  }
  if (request.output_compression != null && request.output_compression < 100 && format === "png") {
    throw new GatewayError(
      "invalid_value",
      `Invalid value for 'output_compression': ${request.output_compression}; PNG is never compressed with a loss. ` +
        "Ask for 'output_format' jpeg or webp, or leave it out.",
      { param: "output_compression" },
    );
  }
}

function dropDeltaFields(body: Record<string, unknown>, id: string): void {
  for (const [field, harmless] of DELTA_ONLY) {
    const value = body[field];
    if (value !== undefined && !harmless.has(value)) {
      throw new GatewayError(
        "unsupported_value",
        `Unsupported value for '${field}': ${JSON.stringify(value)}; the model "${id}" does not have it. ` +
          "Leave it out, or use a delta-image model.",
        { param: field },
      );
    }
    delete body[field];
  }
}

function qualityOf(asked: string, { qualities }: ImageRules, id: string): ImageQuality | null {
  const known = IMAGE_QUALITIES.find((quality) => quality === asked);
  if (known !== undefined) return qualityFor(known, qualities);
  throw new GatewayError(
    "unsupported_value",
    `Unsupported value for 'quality': ${JSON.stringify(asked.slice(0, 40))}; the model "${id}" accepts ` +
      `${(qualities.length === 0 ? IMAGE_QUALITIES : qualities).join(", ")}.`,
    { param: "quality" },
  );
}
