import { GatewayError } from "../../core/errors.ts";
import { readPicture } from "../../core/media/picture-type.ts";

const MAX_BYTES = 300 * 1000;
/** Max pixels of a preview image, the same as of a video: 4096 by 4096. */
const MAX_PIXELS = 2 ** 24;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Checks an uploaded preview image by its content and returns its bytes.
 * @param image base64 of a JPEG or WebP, at most 300 kB
 * @throws GatewayError invalid_value
 */
export function posterBytes(image: string): Buffer {
  const bytes = BASE64.test(image) && image.length % 4 === 0 ? Buffer.from(image, "base64") : null;
  if (bytes === null) throw refusal("must be base64, without data: before it");
  if (bytes.length > MAX_BYTES) throw refusal(`has ${bytes.length} bytes; ${MAX_BYTES} are allowed`);
  const picture = readPicture(bytes);
  const fits = picture?.mediaType === "image/jpeg" || picture?.mediaType === "image/webp";
  if (picture === null || !fits || picture.animated) throw refusal("must be one JPEG or WebP picture");
  if (picture.width * picture.height > MAX_PIXELS) {
    throw refusal(`is ${picture.width} × ${picture.height} pixels large; 4096 × 4096 are allowed`);
  }
  return bytes;
}

const refusal = (why: string): GatewayError =>
  new GatewayError("invalid_value", `The poster ${why}.`, { param: "image" });
