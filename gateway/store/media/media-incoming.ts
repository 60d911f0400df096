import { createHash } from "node:crypto";
import { TYPE_BYTES, findMediaType } from "../../core/media/media-type.ts";
import type { MediaType } from "../../core/media/media-type.ts";
import { measureMedia } from "./media-measure.ts";
import type { MediaMeasure } from "./media-measure.ts";

/** Reason for not storing a result. `kind` tells the remedy: disk space, another provider, or none. */
export class MediaRefused extends Error {
  override readonly name = "MediaRefused";
  readonly kind: "type" | "size" | "empty" | "room" | "disk";

  /** @param message completes "could not be saved: " */
  constructor(kind: MediaRefused["kind"], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** A file that is whole on the disk. */
export interface SavedFile {
  readonly type: MediaType;
  readonly sha256: string;
  readonly bytes: number;
  readonly measure: MediaMeasure;
}

/** Max bytes of a result; more than any provider returns. A larger download is aborted. */
export const MAX_MEDIA_BYTES = 2 * 1024 ** 3;
/** Max pixels of a picture (8,192 by 8,192): more is a decompression bomb (reliability M3). */
const MAX_PIXELS = 2 ** 26;
/** Bytes at the start of a file that cover the headers of every image type, and most speech completely. */
export const HEAD_BYTES = 1024 * 1024;

/** Inspects the bytes of a result while it is written: size, hash, type and head. */
export class IncomingMedia {
  bytes = 0;
  readonly #hash = createHash("sha256");
  readonly #head: Uint8Array[] = [];
  #type: MediaType | null = null;

  /** @throws MediaRefused as soon as the type is known to be unsupported */
  take(chunk: Uint8Array): void {
    const before = this.bytes;
    this.bytes += chunk.length;
    if (this.bytes > MAX_MEDIA_BYTES) {
      throw new MediaRefused("size", `it is larger than ${MAX_MEDIA_BYTES / 1024 ** 3} GiB.`);
    }
    this.#hash.update(chunk);
    if (before < HEAD_BYTES) this.#head.push(chunk.subarray(0, HEAD_BYTES - before));
    if (this.#type === null && this.bytes >= TYPE_BYTES) this.#type = findType(Buffer.concat(this.#head));
  }

  /** Returns the file's figures after all of it has passed. @throws MediaRefused */
  finish(): SavedFile {
    if (this.bytes === 0) throw new MediaRefused("empty", "it is empty.");
    const head = Buffer.concat(this.#head);
    const type = this.#type ?? findType(head);
    const measure = measureMedia(type, head, this.bytes);
    if ((measure.width ?? 0) * (measure.height ?? 0) > MAX_PIXELS) {
      throw new MediaRefused("size", `it is a picture of ${measure.width} × ${measure.height} pixels.`);
    }
    return { type, sha256: this.#hash.digest("hex"), bytes: this.bytes, measure };
  }
}

function findType(head: Buffer): MediaType {
  const type = findMediaType(head.subarray(0, TYPE_BYTES));
  if (type !== null) return type;
  throw new MediaRefused(
    "type",
    "its first bytes are none of PNG, JPEG, WebP, GIF, WAV, MP3, Ogg, FLAC, AAC, MP4 and WebM.",
  );
}
