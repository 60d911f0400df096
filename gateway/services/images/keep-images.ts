import type { Units } from "../../core/model.ts";
import { priceUnits } from "../../core/price.ts";
import type { ImageResult } from "../../vendors/images.ts";
import type { Opened } from "../calls/attempts.ts";
import { vendorName } from "../calls/call-record.ts";
import type { KeepMedia, MediaOrigin } from "../media/keep-media.ts";
import type { ImageCall } from "./image-call.ts";

/** Hands the images of an answer to the library. `units`: what the whole call was billed by. */
export function keepImages(
  keepMedia: KeepMedia,
  { paid, endpoint, asked }: ImageCall,
  { candidate }: Opened,
  images: readonly ImageResult[],
  units: Units,
): void {
  const { connection, price } = candidate;
  const origin: MediaOrigin = {
    requestId: paid.input.requestId,
    keyId: paid.input.key.record.id,
    endpoint,
    model: paid.record.model,
    vendor: vendorName(candidate),
    prompt: asked.prompt,
    parameters: asked.parameters,
    seed: asked.seed,
    nano: price === null ? null : priceUnits(units, price).nano,
    sandbox: connection.from === "sandbox",
  };
  for (const image of images) {
    if (image.kind === "url") keepMedia({ kind: "url", url: image.url, connection }, origin);
    else keepMedia({ kind: "bytes", bytes: Buffer.from(image.data.replace(DATA_URL, ""), "base64") }, origin);
  }
}

/** Some servers put this in front of base64. */
const DATA_URL = /^data:[^,]{0,100},/;
