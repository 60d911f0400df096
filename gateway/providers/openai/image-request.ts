import { promptImageRequestSchema } from "../../contract/images.ts";
import type { PromptImageRequest } from "../../contract/images.ts";
import { GatewayError } from "../../core/errors.ts";
import { checkCount, checkPartials, readPromptRequest } from "../../core/images/image-prompt.ts";
import { IMAGE_QUALITIES, chooseQuality } from "../../core/images/image-quality.ts";
import type { ImageQuality } from "../../core/images/image-quality.ts";
import { withoutNulls } from "../../core/images/image-request.ts";
import type { RequestedModel, ImageBody, ImageRequest } from "../../core/images/image-request.ts";
import { checkSize } from "../../core/images/image-rules.ts";
import type { ImageRules } from "../../core/images/image-rules.ts";
import { validate } from "../../core/validation.ts";
import { characterCount, isLongerThan } from "../../lib/characters.ts";

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
export function buildPromptRequest(sent: ImageBody, model: RequestedModel): ImageRequest {
  const request = validate(promptImageRequestSchema(), sent);
  const { rules } = model;
  const delta = rules.family === "delta";
  checkPrompt(request.prompt, model);
  checkCount(request.n, model);
  if (request.size != null) checkSize(request.size, rules.sizes, model.id, "size");
  checkPartials(request);
  if (delta) checkOutput(request);
  const body = withoutNulls(request);
  if (!delta) dropDeltaFields(body, model.id);
  // gpt-image always returns base64 and refuses the field. Clients of dall-e expect the specification's default.
  if (delta) delete body["response_format"];
  else body["response_format"] ??= "b64_json";
  // Only dall-e-3 has styles.
  if (!rules.qualities.includes("hd")) delete body["style"];
  const quality = request.quality == null ? null : readQuality(request.quality, rules, model.id);
  if (quality === null) delete body["quality"];
  else body["quality"] = quality;
  return readPromptRequest(request, body, rules.family);
}

function checkPrompt(prompt: string, { id, rules }: RequestedModel): void {
  const limit = rules.promptLimit;
  if (limit === null || !isLongerThan(prompt, limit)) return;
  throw new GatewayError(
    "invalid_value",
    `Invalid value for 'prompt': ${characterCount(prompt)} characters; the model "${id}" takes at most ${limit}.`,
    { param: "prompt" },
  );
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

function readQuality(requestedQuality: string, { qualities }: ImageRules, id: string): ImageQuality | null {
  const known = IMAGE_QUALITIES.find((quality) => quality === requestedQuality);
  if (known !== undefined) return chooseQuality(known, qualities);
  throw new GatewayError(
    "unsupported_value",
    `Unsupported value for 'quality': ${JSON.stringify(requestedQuality.slice(0, 40))}; the model "${id}" accepts ` +
      `${(qualities.length === 0 ? IMAGE_QUALITIES : qualities).join(", ")}.`,
    { param: "quality" },
  );
}
