import { findMediaType } from "../../core/media/media-type.ts";
import { readPicture } from "../../core/media/picture-type.ts";
import type { MediaFacts } from "./media-facts.ts";
import type { ContentBlock, ResourceLink } from "@modelcontextprotocol/server";
import type { ImagesResponse } from "../../services/images/image-call.ts";

/** Some servers put this in front of base64, or write the picture itself where others write its address. */
const DATA_URL = /^data:[^,]{0,100},/;

/** The images of a response, in the order in which the library takes them. @param response null: the caller left. */
export function listUnsavedImages(response: ImagesResponse | null): readonly UnsavedMedia[] {
  if (response === null || !("images" in response)) return [];
  return response.images.map((image) => {
    const text = image.kind === "url" ? image.url : image.data;
    if (image.kind === "url" && !DATA_URL.test(text)) return image;
    return { kind: "bytes", bytes: Buffer.from(text.replace(DATA_URL, ""), "base64") };
  });
}

/** A result as the provider's response holds it. */
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
 * A result that the library does not have. Its bytes are shown whatever their size and whatever the caller wanted:
 * they are paid for, and nothing else holds them.
 * @param media null when the response does not hold it either @param name of the result, different for each
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
  /** Null when nothing but the block holds it. */
  readonly link: ResourceLink | null;
  readonly facts: MediaFacts;
  /** Text for users and models. */
  readonly text: string;
}

/** Only images go in an image block, only sound in an audio block; null for all else. */
export function getBlock(mimeType: string, bytes: Buffer): ContentBlock | null {
  const type = mimeType.startsWith("image/") ? "image" : mimeType.startsWith("audio/") ? "audio" : null;
  return type === null ? null : { type, data: bytes.toString("base64"), mimeType };
}
