import type { Units } from "../../core/models/model.ts";
import type { ImageResult } from "../../providers/images.ts";
import type { Opened } from "../calls/attempts.ts";
import { callOrigin } from "../media/call-origin.ts";
import type { KeepMedia, MediaOrigin, MediaSource } from "../media/keep-media.ts";
import type { ImageCall } from "./image-call.ts";

/** Hands the images of an answer to the library. `units`: what the whole call was billed by. */
export function keepImages(
  keepMedia: KeepMedia,
  { paid, asked }: ImageCall,
  opened: Opened,
  images: readonly ImageResult[],
  units: Units,
): void {
  const { prompt, parameters, seed } = asked;
  const { connection } = opened.candidate;
  const origin: MediaOrigin = { ...callOrigin(paid, opened, units), prompt, parameters, seed };
  for (const image of images) {
    const source: MediaSource =
      image.kind === "url"
        ? { kind: "url", url: image.url, connection }
        : { kind: "bytes", bytes: Buffer.from(image.data.replace(DATA_URL, ""), "base64") };
    const saved = keepMedia(source, origin);
    paid.input.follower?.kept(saved);
  }
}

/** Some servers put this in front of base64. */
const DATA_URL = /^data:[^,]{0,100},/;
