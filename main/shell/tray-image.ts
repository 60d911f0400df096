import { nativeImage, type NativeImage } from "electron";
import { markBitmap } from "../policy/mark.ts";
import type { TrayIcon } from "../policy/tray-model.ts";

/** Scales of the displays that are common; the tray takes the nearest. */
const SCALES = [1, 1.25, 1.5, 2, 3] as const;

/** The tray's icon, sharp at every scale. A template is black and tinted by macOS. */
export function getTrayImage(icon: TrayIcon): NativeImage {
  const image = nativeImage.createEmpty();
  for (const scaleFactor of SCALES) {
    const size = 16 * scaleFactor;
    const buffer = Buffer.from(markBitmap(size, icon === "light" ? 255 : 0));
    image.addRepresentation({ scaleFactor, width: size, height: size, buffer });
  }
  image.setTemplateImage(icon === "template");
  return image;
}
