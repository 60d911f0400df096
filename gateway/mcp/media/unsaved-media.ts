import { findMediaType } from "../../core/media/media-type.ts";
import { readPicture } from "../../core/media/picture-type.ts";
import type { MediaFacts } from "./media-facts.ts";
import type { ContentBlock, ResourceLink } from "@modelcontextprotocol/server";
import type { ImagesResponse } from "../../services/images/image-call.ts";

/** Some servers prefix base64 with this, or send the picture inline in place of a URL. */
const DATA_URL = /^data:[^,]{0,100},/;

/** Returns the images of a response, in the library's order. @param response null: the client disconnected */
export function listUnsavedImages(response: ImagesResponse | null): readonly UnsavedMedia[] {
  if (response === null || !("images" in response)) return [];
  return response.images.map((image) => {
    const text = image.kind === "url" ? image.url : image.data;
    if (image.kind === "url" && !DATA_URL.test(text)) return image;
    return { kind: "bytes", bytes: Buffer.from(text.replace(DATA_URL, ""), "base64") };
  });
}

/** A result in the provider's response. */
export type UnsavedMedia =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "url"; readonly url: string };

const NOTHING: MediaFacts = {
  media_id: null,
  uri: null,
  url: null,
  url_expires_at: null,
  mime_type: null,
  bytes: null,
  width: null,
  height: null,
  duration_seconds: null,
  inline: false,
};

/**
 * Shows a result that the library lacks. Its bytes are always included, regardless of size and arguments, because they
 * are paid for and stored nowhere else.
 * @param media null if the response lacks it too @param name unique name of the result
 */
export function unsavedMedia(media: UnsavedMedia | null, name: string): ShownMedia {
  if (media === null) {
    return { block: null, link: null, facts: NOTHING, text: "A result was made, and is in the library no more." };
  }
  return media.kind === "url" ? atProvider(media.url, name) : asBytes(media.bytes, name);
}

function atProvider(url: string, name: string): ShownMedia {
  const description =
    "Not in Postern's media library yet: this is the provider's own address, which works for a limited time, mostly a day.";
  return {
    block: null,
    link: { type: "resource_link", uri: url, name, description },
    facts: { ...NOTHING, url },
    text: `${description} ${url}`,
  };
}

function asBytes(bytes: Buffer, name: string): ShownMedia {
  const type = findMediaType(bytes)?.type ?? "application/octet-stream";
  const picture = readPicture(bytes);
  return {
    block: getBlock(type, bytes) ?? {
      type: "resource",
      resource: { uri: `postern://unsaved/${name}`, mimeType: type, blob: bytes.toString("base64") },
    },
    link: null,
    facts: {
      ...NOTHING,
      mime_type: type,
      bytes: bytes.length,
      width: picture?.width ?? null,
      height: picture?.height ?? null,
      inline: true,
    },
    text: `${type}, ${bytes.length} bytes. It could not be saved in Postern's media library: this result alone holds it.`,
  };
}

/** A result in every form in which a client receives it. */
export interface ShownMedia {
  /** The thing itself; null when it is only linked. */
  readonly block: ContentBlock | null;
  /** Null if only the block contains it. */
  readonly link: ResourceLink | null;
  readonly facts: MediaFacts;
  /** Text for users and models. */
  readonly text: string;
}

/** Returns an image block for images, an audio block for audio; null for all others. */
export function getBlock(mimeType: string, bytes: Buffer): ContentBlock | null {
  const type = mimeType.startsWith("image/") ? "image" : mimeType.startsWith("audio/") ? "audio" : null;
  return type === null ? null : { type, data: bytes.toString("base64"), mimeType };
}
