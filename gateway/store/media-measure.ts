import { imageSize } from "image-size";
import { soundDuration } from "../core/media-duration.ts";
import type { MediaType } from "../core/media-type.ts";

export interface MediaMeasure {
  /** Pixels; null where there are none or they are not known. */
  readonly width: number | null;
  readonly height: number | null;
  /** Milliseconds; null where there is no duration or it is not known. */
  readonly durationMs: number | null;
}

const NOTHING: MediaMeasure = { width: null, height: null, durationMs: null };

/** Reads what the file says of itself. Nothing is decoded, so no bomb goes off; what cannot be read is null. */
export function measureMedia(type: MediaType, head: Buffer, tail: Buffer, bytes: number): MediaMeasure {
  try {
    if (type.kind === "image") {
      const { width, height } = imageSize(head);
      return { ...NOTHING, width: plausible(width), height: plausible(height) };
    }
    return { ...NOTHING, durationMs: plausible(soundDuration(type.extension, { head, tail, bytes })) };
  } catch {
    return NOTHING;
  }
}

/** Files say anything of themselves. */
function plausible(value: number | null): number | null {
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
