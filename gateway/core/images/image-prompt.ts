import { unlistedImageRequestSchema } from "../../contract/images.ts";
import type { PromptImageRequest } from "../../contract/images.ts";
import { isRecord } from "../../lib/records.ts";
import { GatewayError } from "../errors.ts";
import { readParameters, withoutNulls } from "./image-request.ts";
import type { RequestedModel, ImageBody, ImageRequest } from "./image-request.ts";
import type { ImageRules } from "./image-rules.ts";
import { validate } from "../validation.ts";

/**
 * Checks a request in the common format, with a `prompt`, for a model that only its provider knows: types are checked,
 * values are left to the provider. Base64 unless the client asks for a URL, because clients expect it from an unknown
 * model.
 * @param rules rules of the catalog model with its name; gpt-image refuses `response_format` at any provider.
 */
export function unlistedRequest(sent: ImageBody, rules: ImageRules | null = null): ImageRequest {
  const request = validate(unlistedImageRequestSchema(), sent);
  const body = withoutNulls(request);
  if (rules?.family === "delta") delete body["response_format"];
  else if (request.stream !== true) body["response_format"] ??= "b64_json";
  return readPromptRequest(request, body, null);
}

/**
 * Checks a provider's own `input` and `parameters`, for a model that only its provider knows (DashScope's,
 * docs/providers/dashscope.md#images).
 */
export function unlistedInput(sent: ImageBody): ImageRequest {
  const parameters = isRecord(sent["parameters"]) ? sent["parameters"] : {};
  const { n, size, seed } = parameters;
  return {
    family: null,
    body: sent,
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

/** Reads the facts of a request in the common format. */
export function readPromptRequest(
  request: Pick<PromptImageRequest, "n" | "stream" | "partial_images" | "prompt"> & ImageBody,
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
    parameters: readParameters(body),
  };
}

function sameFields(before: ImageBody, after: ImageBody): boolean {
  const names = Object.keys(after);
  return names.length === Object.keys(before).length && names.every((name) => before[name] === after[name]);
}

/** @throws GatewayError if a call requests more images than its model makes per call. */
export function checkCount(n: number | null | undefined, { id, rules }: RequestedModel): void {
  if (n == null || n <= rules.most) return;
  throw new GatewayError(
    "invalid_value",
    `Invalid value for 'n': ${n}; the model "${id}" makes ${rules.most === 1 ? "one image per call" : `at most ${rules.most} images per call`}.`,
    { param: "n" },
  );
}

/** @throws GatewayError if partial images are requested without a stream */
export function checkPartials(request: PromptImageRequest): void {
  if (request.stream === true || (request.partial_images ?? 0) === 0) return;
  throw new GatewayError("invalid_value", "'partial_images' is only accepted together with 'stream': true.", {
    param: "partial_images",
  });
}
