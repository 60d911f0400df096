import type { ImagesResponse } from "../../services/images/image-call.ts";
import type { HeldMedia } from "./unsaved-media.ts";

/** Some servers put this in front of base64, or write the picture itself where others write its address. */
const DATA_URL = /^data:[^,]{0,100},/;

/** The images of a response, in the order in which the library takes them. @param response null: the caller left. */
export function heldImages(response: ImagesResponse | null): readonly HeldMedia[] {
  if (response === null || !("images" in response)) return [];
  return response.images.map((image) => {
    const text = image.kind === "url" ? image.url : image.data;
    if (image.kind === "url" && !DATA_URL.test(text)) return image;
    return { kind: "bytes", bytes: Buffer.from(text.replace(DATA_URL, ""), "base64") };
  });
}
