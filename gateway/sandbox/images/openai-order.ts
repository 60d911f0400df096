import { imageTokens } from "../../core/images/image-tokens.ts";
import { checkSize, sidesOf } from "../../core/images/image-rules.ts";
import { GatewayError } from "../../core/errors.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { Failure, invalidType, invalidValue, missing } from "../failure.ts";
import type { Fields } from "../fields.ts";
import { integerOf } from "../parameters.ts";
import { countTokens } from "../tokens.ts";
import { PICTURE_FORMATS, isDrawable } from "./picture.ts";
import type { PictureFormat, PicturePlan } from "./picture.ts";

/** A checked request for images in OpenAI's shape (docs/providers/openai.md#images), made or edited. */
export interface OpenaiOrder {
  readonly model: ModelSpec;
  readonly prompt: string;
  readonly count: number;
  readonly plan: PicturePlan;
  /** Settings that gpt-image echoes; null at dall-e, which echoes nothing and has no usage. */
  readonly echo: Readonly<Record<string, string>> | null;
  readonly asUrl: boolean;
  readonly stream: boolean;
  readonly partials: number;
  readonly usage: object;
}

/** Input tokens of a picture to edit. */
const TOKENS_PER_IMAGE = 323;

/**
 * Checks a request as OpenAI does, the fields that it refuses among them.
 * @param images how many pictures the request refers to.
 * @throws Failure (400) in OpenAI's envelope.
 */
export function openaiOrder(body: Fields, model: ModelSpec, images: number): OpenaiOrder {
  const delta = !(model.upstreamId ?? model.id).startsWith("dall-e");
  const { prompt } = body;
  if (typeof prompt !== "string") throw prompt === undefined ? missing("prompt") : invalidType("prompt", "a string");
  if (delta && body["response_format"] !== undefined) throw unknownField("response_format");
  if (!delta) for (const name of DELTA_FIELDS) if (body[name] !== undefined) throw unknownField(name);
  const count = integerOf(body, "n", 1, 10) ?? 1;
  const [width, height] = sidesFor(body["size"], model, images > 0);
  const format = wordOf(body, "output_format", PICTURE_FORMATS) ?? "png";
  const background = wordOf(body, "background", ["transparent", "opaque", "auto"]) ?? "auto";
  if (background === "transparent" && format === "jpeg") {
    throw invalidValue("background", "transparent backgrounds need output_format png or webp.");
  }
  const quality = wordOf(body, "quality", delta ? ["low", "medium", "high", "auto"] : ["standard", "hd"]);
  const made = quality === undefined || quality === "auto" ? "high" : quality;
  const stream = body["stream"] === true;
  const partials = stream ? (integerOf(body, "partial_images", 0, 3) ?? 0) : 0;
  const size = `${width}x${height}`;
  return {
    model,
    prompt,
    count,
    plan: { width, height, format: format as PictureFormat, transparent: background === "transparent" },
    echo: delta
      ? { background: background === "auto" ? "opaque" : background, output_format: format, quality: made, size }
      : null,
    asUrl: !delta && wordOf(body, "response_format", ["url", "b64_json"]) !== "b64_json",
    stream,
    partials,
    usage: usageOf(countTokens(prompt), images, count * imageTokens(size, made, partials)),
  };
}

/** Fields that dall-e does not have. */
const DELTA_FIELDS = [
  "background",
  "output_format",
  "output_compression",
  "moderation",
  "input_fidelity",
  "stream",
  "partial_images",
];

function usageOf(words: number, images: number, output: number): object {
  const seen = images * TOKENS_PER_IMAGE;
  return {
    total_tokens: words + seen + output,
    input_tokens: words + seen,
    output_tokens: output,
    input_tokens_details: { text_tokens: words, image_tokens: seen },
    output_tokens_details: { text_tokens: 0, image_tokens: output },
  };
}

function sidesFor(size: unknown, model: ModelSpec, edits: boolean): readonly [number, number] {
  if (size === undefined || size === null || size === "auto") return [1_024, 1_024];
  if (typeof size !== "string") throw invalidType("size", "a string");
  const { image, edit, id } = model;
  if (edits) {
    if (edit !== undefined && !edit.sizes.includes(size))
      throw invalidValue("size", `expected one of ${edit.sizes.join(", ")}.`);
  } else if (image !== undefined) {
    refuseSize(() => checkSize(size, image.sizes, id, "size"));
  }
  const sides = sidesOf(size);
  if (sides === null || !isDrawable(...sides)) throw invalidValue("size", "expected WIDTHxHEIGHT.");
  return sides;
}

function refuseSize(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof GatewayError) throw new Failure(400, error.message, { param: "size", code: "invalid_value" });
    throw error;
  }
}

function wordOf(body: Fields, param: string, words: readonly string[]): string | undefined {
  const value = body[param];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && words.includes(value)) return value;
  throw invalidValue(param, `expected one of ${words.join(", ")}.`);
}

function unknownField(param: string): Failure {
  return new Failure(400, `Unknown parameter: '${param}'.`, { param, code: "unknown_parameter" });
}
