import { redact } from "../../lib/redact.ts";
import type { MediaView } from "../../contract/media.ts";
import type { RingKey } from "../../services/keys/key-ring.ts";
import { fileChunks } from "../../services/media/file-chunks.ts";
import type { MediaLibrary } from "../../services/media/media-library.ts";
import { notThere } from "../../services/media/serve-media.ts";

/** Results of the library as callers name them. */
const MEDIA_URI = /^postern:\/\/media\/([^/?#]+)$/i;

export const getMediaUri = (id: string): string => `postern://media/${id}`;

/** @returns null if it is not the URI of a library result */
export function getMediaId(uri: string): string | null {
  return MEDIA_URI.exec(uri)?.[1] ?? null;
}

/**
 * Returns a result created with this key.
 * @throws GatewayError not_found, with the same message for another key's result as for a missing one, so that ids
 * cannot be probed.
 */
export async function getOwnMedia(media: Pick<MediaLibrary, "view">, key: RingKey, id: string): Promise<MediaView> {
  const view = await media.view(id);
  if (view === null || view.origin?.key !== key.record.id) throw notThere(redact(id));
  return view;
}

/** All bytes of a result. Ask for its size first. @throws GatewayError not_found when its file is gone */
export async function getMediaBytes(media: Pick<MediaLibrary, "open">, id: string): Promise<Buffer> {
  const { file, bytes } = await media.open(id);
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of fileChunks(file, 0, bytes - 1)) chunks.push(chunk);
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

/** A name for saving it, as `postern-image-3fa9c1d2.png`. */
export function formatMediaName({ id, kind, path }: MediaView): string {
  return `postern-${kind}-${id.slice(-8)}${/\.\w{1,5}$/.exec(path)?.[0] ?? ""}`;
}

const SHOWN_CHARACTERS = 160;

/** Describes a result for a choice among several: `1024x1024 image/png by gpt-image-1: "A fox…"`. */
export function getMediaDescription({ type, width, height, duration_ms: duration, origin }: MediaView): string {
  const size = width === null || height === null ? "" : `${width}x${height} `;
  const length = duration === null ? "" : `, ${Number((duration / 1_000).toFixed(1))} s`;
  if (origin === null) return `${size}${type}${length}`;
  const prompt = redact(origin.prompt);
  const shown = prompt.length > SHOWN_CHARACTERS ? `${prompt.slice(0, SHOWN_CHARACTERS - 1)}…` : prompt;
  return `${size}${type}${length} by ${origin.model}${shown === "" ? "" : `: ${JSON.stringify(shown)}`}`;
}
