import { createHash } from "node:crypto";
import { GatewayError } from "../../core/errors.ts";
import { readPicture } from "../../core/media/picture-type.ts";
import { boundaryOf, splitParts } from "../../http/middleware/multipart-parts.ts";
import { isRecord } from "../../lib/records.ts";
import type { Exchange } from "../exchange.ts";
import { Failure, type Fields, invalidType, listOf, missing, parsedJson } from "../fields.ts";
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
  const type = exchange.request.headers["content-type"] ?? "";
  const boundary = asProvider(() => boundaryOf(type));
  if (boundary !== null) return fromForm(asProvider(() => splitParts(exchange.body, boundary)));
  const body = parsedJson(exchange.body);
  if (!isRecord(body)) throw invalidType("body", "an object");
  const images = listOf(body["images"]).length;
  if (images === 0) throw missing("images");
  return { fields: body, images: images + (body["mask"] == null ? 0 : 1), seed: seedOf(exchange.body) };
}

const NUMBERS = new Set(["n", "partial_images", "output_compression"]);

function fromForm(parts: readonly FormPart[]): EditRequest {
  const images = parts.filter(({ name }) => name === "image" || name === "image[]");
  const mask = parts.find(({ name }) => name === "mask");
  if (images.length === 0) throw missing("image");
  for (const image of images) checkPicture(image);
  if (mask !== undefined) checkMask(mask, images[0]);
  const fields: Record<string, unknown> = {};
  for (const { name, fileName, bytes } of parts) {
    if (fileName !== null) continue;
    const text = bytes.toString("utf8");
    fields[name] = NUMBERS.has(name) ? Number(text) : name === "stream" ? text === "true" : text;
  }
  return { fields, images: images.length + (mask === undefined ? 0 : 1), seed: seedOf(digestOf(parts)) };
}

/** Of names and contents: the boundary is another one each time, and the same edit is to give the same picture. */
function digestOf(parts: readonly FormPart[]): Buffer {
  const hash = createHash("sha256");
  for (const { name, bytes } of parts) hash.update(`${name}:${bytes.length}:`).update(bytes);
  return hash.digest();
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

/** The form is read by the gateway's own reader, whose errors become the provider's. */
function asProvider<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof GatewayError) throw new Failure(400, error.message, { code: error.code });
    throw error;
  }
}
