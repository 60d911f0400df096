import type { Seed } from "../seed.ts";
import { jpegOf } from "./jpeg.ts";
import { mosaicOf } from "./mosaic.ts";
import { pngOf } from "./png.ts";
import { webpOf } from "./webp.ts";

export const PICTURE_FORMATS = ["png", "jpeg", "webp"] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** A picture to draw. */
export interface PicturePlan {
  readonly width: number;
  readonly height: number;
  readonly format: PictureFormat;
  readonly transparent: boolean;
}

/** The most that any provider draws: 4096×4096. */
const MOST_PIXELS = 4_096 * 4_096;
const LONGEST_SIDE = 16_383;

/** Whether the sandbox draws pictures of this size. */
export function isDrawable(width: number, height: number): boolean {
  return width >= 1 && height >= 1 && Math.max(width, height) <= LONGEST_SIDE && width * height <= MOST_PIXELS;
}

/** A picture as a file. The same seed and plan give the same bytes. The largest takes some 30 ms of the event loop. */
export async function drawPicture(seed: Seed, { width, height, format, transparent }: PicturePlan): Promise<Buffer> {
  const mosaic = mosaicOf(seed, width, height, transparent && format !== "jpeg");
  if (format === "png") return pngOf(mosaic);
  return format === "jpeg" ? jpegOf(mosaic) : webpOf(mosaic);
}
