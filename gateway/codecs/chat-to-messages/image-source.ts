import { GatewayError } from "../../core/errors.ts";
import type { Document } from "../translation.ts";

/** `data:image/png;base64,iVBOR…`, taken apart. */
export interface DataUri {
  readonly mediaType: string;
  readonly data: string;
}

const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w-]+=[^;,]*)*(;base64)?,/i;

/** @returns null if it is not a base64 data URI */
export function buildDataUri(url: string): DataUri | null {
  // Only the head is matched, because the rest may have megabytes.
  const found = DATA_URI.exec(url.slice(0, 256));
  if (found?.[2] === undefined) return null;
  return { mediaType: (found[1] ?? "text/plain").toLowerCase(), data: url.slice(found[0].length) };
}

/** Image types that Claude models accept (Anthropic's documentation of vision). */
const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/**
 * Builds an image's `source`: base64 of a data URI, or the URL, which Anthropic fetches itself.
 * @throws GatewayError for another image type, or anything else (400).
 */
export function buildImageSource(url: string, param: string): Document {
  const inline = buildDataUri(url);
  if (inline === null) {
    if (/^https?:\/\//i.test(url)) return { type: "url", url };
    throw new GatewayError(
      "invalid_value",
      `Invalid value for '${param}': ${JSON.stringify(url.slice(0, 40))}; expected an http(s) URL, or a data URI in base64.`,
      { param },
    );
  }
  const mediaType = inline.mediaType === "image/jpg" ? "image/jpeg" : inline.mediaType;
  if (!IMAGE_TYPES.has(mediaType)) {
    throw new GatewayError(
      "unsupported_value",
      `The image in '${param}' is of type "${mediaType.slice(0, 40)}". Claude models take ${[...IMAGE_TYPES].join(", ")}.`,
      { param },
    );
  }
  return { type: "base64", media_type: mediaType, data: inline.data };
}
