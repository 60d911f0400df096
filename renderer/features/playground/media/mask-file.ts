import type { Picture } from "../pictures/picture.ts";
import { maskFrom, paintMask, type MaskShape, type Size } from "./mask.ts";

export interface MaskedPicture {
  readonly picture: Blob;
  readonly mask: Blob;
}

const JPEG_QUALITY = 0.95;

/**
 * Returns the picture and its mask with equal size. A photograph with an EXIF rotation is redrawn upright, so that the
 * mask fits.
 */
export async function maskedPicture(picture: Picture, shapes: readonly MaskShape[]): Promise<MaskedPicture> {
  const bitmap = await createImageBitmap(picture.file);
  const size = { width: bitmap.width, height: bitmap.height };
  const upright =
    picture.file.type === "image/jpeg"
      ? await drawFile(size, "image/jpeg", (context) => context.drawImage(bitmap, 0, 0))
      : picture.file;
  bitmap.close();
  const layer = createCanvas(size);
  paintMask(layer.context, size, shapes);
  const mask = await drawFile(size, "image/png", (context) => maskFrom(context, size, layer.canvas));
  return { picture: upright, mask };
}

function createCanvas({ width, height }: Size) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("This browser cannot draw");
  return { canvas, context };
}

async function drawFile(size: Size, type: string, draw: (context: CanvasRenderingContext2D) => void): Promise<Blob> {
  const { canvas, context } = createCanvas(size);
  draw(context);
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, JPEG_QUALITY));
  if (file === null) throw new Error("This browser cannot write pictures of this size");
  return file;
}
