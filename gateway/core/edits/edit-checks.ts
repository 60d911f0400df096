import { characterCount, isLongerThan } from "../../lib/characters.ts";
import type { EditRules } from "./edit-rules.ts";
import { GatewayError } from "../errors.ts";
import type { ErrorCode } from "../errors.ts";
import { unsupportedStream } from "../images/image-request.ts";
import type { PictureHeader } from "../media/picture-header.ts";

/** Facts of a picture that the checks need; `header` is null for one that only the provider can read. */
export interface PictureFacts {
  /** The field of the picture, such as `image[2]`. */
  readonly field: string;
  readonly bytes: number;
  readonly header: PictureHeader | null;
}

export interface EditToCheck {
  /** The model's name in messages. */
  readonly model: string;
  /** Checked by the contract's schema. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly images: readonly PictureFacts[];
  readonly mask: PictureFacts | null;
}

/** Bytes that a mask must stay below (docs/providers/openai.md#image-edits). */
const MASK_BYTES = 4 * 1024 * 1024;

/**
 * The rules that tie an edit's fields and pictures to its model and to each other
 * (docs/specification.md#post-v1imagesedits-multipartform-data).
 * @param rules null for models that only a provider's list knows: model-specific checks are left to the provider.
 * @throws GatewayError (400) with the accepted values.
 */
export function checkEdit(edit: EditToCheck, rules: EditRules | null): void {
  checkCount(edit, rules);
  if (rules === null) return;
  checkFields(edit, rules);
  for (const image of edit.images) checkImage(edit.model, image, rules);
  checkOutput(edit.fields);
  if (edit.mask !== null) checkMask(edit, edit.mask, rules);
}

function checkCount({ model, images }: EditToCheck, rules: EditRules | null): void {
  const most = rules?.images ?? Number.POSITIVE_INFINITY;
  if (images.length === 0) {
    throw createRefusal(
      "image",
      "Missing required parameter: 'image': expected a PNG, JPEG or WebP file.",
      "missing_required_parameter",
    );
  }
  if (images.length <= most) return;
  const accepted = most === 1 ? "one image" : `at most ${most} images`;
  throw createRefusal("image", `Too many images: ${images.length}; the model "${model}" takes ${accepted} a call.`);
}

function checkFields({ model, fields }: EditToCheck, rules: EditRules): void {
  const text = (name: string): string | null => (typeof fields[name] === "string" ? fields[name] : null);
  checkPrompt(model, text("prompt") ?? "", rules.prompt);
  const size = text("size");
  if (size !== null && size !== "auto" && !rules.sizes.includes(size)) {
    throw createUnsupported(
      "size",
      size,
      `the model "${model}" edits at auto, ${rules.sizes.join(", ")}. Larger sizes, 2K and 4K, are for /v1/images/generations`,
    );
  }
  const n = fields["n"];
  if (typeof n === "number" && n > rules.n) {
    throw createRefusal(
      "n",
      `Invalid value for 'n': ${n}; the model "${model}" makes ${rules.n === 1 ? "one image" : `at most ${rules.n} images`} a call.`,
    );
  }
  if (fields["stream"] === true && !rules.stream) {
    throw unsupportedStream(`the model "${model}"`);
  }
  if (fields["input_fidelity"] != null && !rules.fidelity) {
    throw createRefusal(
      "input_fidelity",
      `The model "${model}" has no 'input_fidelity'. Leave it out.`,
      "unsupported_parameter",
    );
  }
  if (rules.output) return;
  const format = text("output_format");
  if (format !== null && format !== "png") {
    throw createUnsupported(
      "output_format",
      format,
      `the model "${model}" answers with its own format; only delta-image models let you choose`,
    );
  }
  if (fields["background"] === "transparent") {
    throw createUnsupported(
      "background",
      "transparent",
      `the model "${model}" has no transparent backgrounds; use a delta-image model`,
    );
  }
}

function checkPrompt(model: string, prompt: string, limit: number): void {
  if (!isLongerThan(prompt, limit)) return;
  throw createRefusal(
    "prompt",
    `Invalid value for 'prompt': ${characterCount(prompt)} characters; the model "${model}" takes at most ${limit}.`,
  );
}

function checkImage(model: string, { field, bytes, header }: PictureFacts, rules: EditRules): void {
  if (bytes >= rules.imageBytes) {
    throw createRefusal(
      field,
      `The file in '${field}' has ${inMib(bytes)}; the model "${model}" takes files below ${inMib(rules.imageBytes)}.`,
    );
  }
  if (!rules.squarePng || header === null) return;
  if (header.mediaType !== "image/png") {
    throw createRefusal(
      field,
      `The file in '${field}' is ${header.mediaType}; the model "${model}" edits PNG files only.`,
    );
  }
  if (header.width !== header.height) {
    throw createRefusal(
      field,
      `The image in '${field}' is ${measureSize(header)}; the model "${model}" edits square images only.`,
    );
  }
}

/** Checks settings of the response against each other, for any model. */
function checkOutput(fields: EditToCheck["fields"]): void {
  const format = fields["output_format"] ?? "png";
  if (fields["background"] === "transparent" && format === "jpeg") {
    throw createUnsupported(
      "background",
      "transparent",
      "a JPEG has no transparency. Ask for 'output_format' png or webp",
    );
  }
  const compression = fields["output_compression"];
  if (typeof compression === "number" && compression < 100 && format === "png") {
    throw createRefusal(
      "output_compression",
      `Invalid value for 'output_compression': ${compression}; PNG is never compressed with a loss. Ask for 'output_format' jpeg or webp, or leave it out.`,
    );
  }
  if (fields["stream"] !== true && ((fields["partial_images"] as number | null | undefined) ?? 0) > 0) {
    throw createRefusal("partial_images", "'partial_images' is only accepted together with 'stream': true.");
  }
}

/**
 * docs/specification.md#post-v1imagesedits-multipartform-data: "its size must match the image", "only some models
 * support local editing".
 */
function checkMask({ model, images }: EditToCheck, mask: PictureFacts, rules: EditRules): void {
  if (!rules.mask) {
    throw badMask(
      `the model "${model}" edits whole images, without a mask. Leave 'mask' out, or use a delta-image model`,
    );
  }
  if (mask.bytes >= MASK_BYTES) throw badMask(`it has ${inMib(mask.bytes)}; it must stay below ${inMib(MASK_BYTES)}`);
  const { header } = mask;
  if (header === null) return;
  if (header.mediaType !== "image/png") throw badMask(`it is ${header.mediaType}; a mask is a PNG with transparency`);
  if (!header.alpha) throw badMask("it has no alpha channel. Its transparent area is what is edited, so it needs one");
  const first = images[0]?.header;
  if (first == null || (first.width === header.width && first.height === header.height)) return;
  throw badMask(`it is ${measureSize(header)} and the image is ${measureSize(first)}; both must have the same size`);
}

function badMask(why: string): GatewayError {
  return createRefusal("mask", `Invalid mask: ${why}.`, "invalid_mask");
}

function createUnsupported(param: string, value: string, why: string): GatewayError {
  return createRefusal(
    param,
    `Unsupported value for '${param}': ${JSON.stringify(value.slice(0, 40))}; ${why}.`,
    "unsupported_value",
  );
}

function createRefusal(param: string, message: string, code: ErrorCode = "invalid_value"): GatewayError {
  return new GatewayError(code, message, { param });
}

function measureSize({ width, height }: PictureHeader): string {
  return `${width}x${height}`;
}

function inMib(bytes: number): string {
  return `${Number((bytes / 1024 / 1024).toFixed(2))} MiB`;
}
