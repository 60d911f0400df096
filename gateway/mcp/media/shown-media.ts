import type { ContentBlock, ResourceLink } from "@modelcontextprotocol/server";
import type { MediaFacts } from "./media-facts.ts";

/** A result in every form in which a caller is told of it. */
export interface ShownMedia {
  /** The thing itself; null when it is only linked. */
  readonly block: ContentBlock | null;
  /** Null when nothing but the block holds it. */
  readonly link: ResourceLink | null;
  readonly facts: MediaFacts;
  /** For people and models. */
  readonly text: string;
}

/** Only images go in an image block, only sound in an audio block; null for all else. */
export function blockOf(mimeType: string, bytes: Buffer): ContentBlock | null {
  const type = mimeType.startsWith("image/") ? "image" : mimeType.startsWith("audio/") ? "audio" : null;
  return type === null ? null : { type, data: bytes.toString("base64"), mimeType };
}
