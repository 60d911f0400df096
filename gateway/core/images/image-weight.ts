import { sidesOf } from "./image-rules.ts";

const MIB = 1024 * 1024;
/** Red, green, blue and alpha, not compressed at all, in base64. */
const PIXEL_BYTES = 4 * (4 / 3);
/** A provider may make a picture larger than it was asked for, and say more beside it. */
const LEAST_BYTES = 16 * MIB;
/** Where nobody has said how large a picture is to be. */
const UNKNOWN_BYTES = 64 * MIB;
/** Ten pictures of 4K as providers compress them stay below it. */
const MOST_BYTES = 256 * MIB;

/**
 * Bytes of the largest answer that holds so many pictures.
 * @param size as it was asked for: `1024x1024`, `2K`, `auto`, or null
 */
export function largestImages(count: number, size: string | null): number {
  const sides = sidesOf(size ?? "");
  const each = sides === null ? UNKNOWN_BYTES : Math.max(LEAST_BYTES, sides[0] * sides[1] * PIXEL_BYTES);
  return Math.min(MOST_BYTES, Math.max(1, count) * each);
}
