import type { PictureHeader } from "./picture-header.ts";
import { isJpeg, readJpeg } from "./picture-jpeg.ts";
import { isPng, readPng } from "./picture-png.ts";
import { isWebp, readWebp } from "./picture-webp.ts";

/**
 * Returns the type and size of a picture by its bytes; its name and declared type are ignored. It takes microseconds
 * for any size, because only headers are read. (image-size walks a broken JPEG byte by byte, and detects neither
 * transparency nor animation.)
 * @returns null for anything but a valid PNG, JPEG or WebP.
 */
export function readPicture(bytes: Uint8Array): PictureHeader | null {
  if (isPng(bytes)) return readPng(bytes);
  if (isJpeg(bytes)) return readJpeg(bytes);
  if (isWebp(bytes)) return readWebp(bytes);
  return null;
}
