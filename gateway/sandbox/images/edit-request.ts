import { readPicture } from "../../core/media/picture-type.ts";
import type { Exchange } from "../exchange.ts";
import { Failure, type Fields, listOf, missing } from "../fields.ts";
import { formOrJson } from "../forms.ts";
import { type Seed, seedOf } from "../seed.ts";
import type { FormPart } from "../../services/edits/form-part.ts";

/** An edit as OpenAI takes it, in either form. */
export interface EditRequest {
  readonly fields: Fields;
  /** Pictures and masks that it refers to. */
  readonly images: number;
  readonly seed: Seed;
}

/** @throws Failure (400) for what is no edit. */
export function editRequestOf(exchange: Exchange): EditRequest {
  const { fields, parts, matter } = formOrJson(exchange);
  const seed = seedOf(matter);
  if (parts !== null) return { fields: typed(fields), images: imagesIn(parts), seed };
  const images = listOf(fields["images"]).length;
  if (images === 0) throw missing("images");
  return { fields, images: images + (fields["mask"] == null ? 0 : 1), seed };
}

const NUMBERS = ["n", "partial_images", "output_compression"];

/** A form has texts only. */
function typed(texts: Fields): Fields {
  const entries = Object.entries(texts).map(([name, text]): [string, unknown] => [
    name,
    NUMBERS.includes(name) ? Number(text) : name === "stream" ? text === "true" : text,
  ]);
  return Object.fromEntries(entries);
}

function imagesIn(parts: readonly FormPart[]): number {
  const images = parts.filter(({ name }) => name === "image" || name === "image[]");
  const mask = parts.find(({ name }) => name === "mask");
  if (images.length === 0) throw missing("image");
  for (const image of images) checkPicture(image);
  if (mask !== undefined) checkMask(mask, images[0]);
  return images.length + (mask === undefined ? 0 : 1);
}

function checkPicture({ bytes, fileName }: FormPart): void {
  if (readPicture(bytes) !== null) return;
  throw new Failure(
    400,
    `Invalid file '${fileName ?? "image"}': unsupported mimetype. Supported are image/jpeg, image/png and image/webp.`,
    {
      param: "image",
      code: "unsupported_file_mimetype",
    },
  );
}

function checkMask(mask: FormPart, image: FormPart | undefined): void {
  const header = readPicture(mask.bytes);
  const first = image === undefined ? null : readPicture(image.bytes);
  if (header?.mediaType === "image/png" && header.width === first?.width && header.height === first.height) return;
  throw new Failure(400, "Invalid mask image format - mask size does not match image size", {
    param: "mask",
    code: "invalid_mask_image_format",
  });
}
