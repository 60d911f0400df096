import type { PictureHeader } from "./picture-header.ts";
import { isJpeg, readJpeg } from "./picture-jpeg.ts";
import { isPng, readPng } from "./picture-png.ts";
import { isWebp, readWebp } from "./picture-webp.ts";

/**
 * Type and size of a picture by its own bytes, whatever its name and its declared type say. Takes microseconds for a
 * file of any size: only headers are looked at. (image-size walks a broken JPEG byte by byte, and knows neither
 * transparency nor animation.)
 * @returns null for what is no PNG, JPEG or WebP, or begins like one and is broken.
 */
export function readPicture(bytes: Uint8Array): PictureHeader | null {
  if (isPng(bytes)) return readPng(bytes);
  if (isJpeg(bytes)) return readJpeg(bytes);
  if (isWebp(bytes)) return readWebp(bytes);
  return null;
}
