import { parseJson } from "../../lib/json.ts";
import type { WholeAnswer } from "../../services/calls/whole-answer.ts";
import { readImages } from "../../providers/openai-compatible/images.ts";
import type { HeldMedia } from "./unsaved-media.ts";

/** Some servers put this in front of base64, or write the picture itself where others write its address. */
const DATA_URL = /^data:[^,]{0,100},/;

/** The images of an answer in any family's shape, in the order in which the library takes them. */
export function heldImages({ body }: WholeAnswer): readonly HeldMedia[] {
  const images = readImages(parseJson(body))?.images ?? [];
  return images.map((image) => {
    const text = image.kind === "url" ? image.url : image.data;
    if (image.kind === "url" && !DATA_URL.test(text)) return image;
    return { kind: "bytes", bytes: Buffer.from(text.replace(DATA_URL, ""), "base64") };
  });
}
