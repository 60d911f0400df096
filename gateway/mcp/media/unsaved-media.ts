import { mediaTypeOf } from "../../core/media/media-type.ts";
import { readPicture } from "../../core/media/picture-type.ts";
import type { MediaFacts } from "./media-facts.ts";
import { blockOf } from "./shown-media.ts";
import type { ShownMedia } from "./shown-media.ts";

/** A result as the provider's response holds it. */
export type HeldMedia =
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
 * @param held null when the response does not hold it either @param name of the result, different for each
 */
export function unsavedMedia(held: HeldMedia | null, name: string): ShownMedia {
  if (held === null) {
    return { block: null, link: null, facts: NOTHING, text: "A result was made, and is in the library no more." };
  }
  return held.kind === "url" ? atProvider(held.url, name) : asBytes(held.bytes, name);
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
  const type = mediaTypeOf(bytes)?.type ?? "application/octet-stream";
  const picture = readPicture(bytes);
  return {
    block: blockOf(type, bytes) ?? {
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
