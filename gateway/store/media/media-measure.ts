import { imageSize } from "image-size";
import { soundDuration } from "../../core/media/media-duration.ts";
import type { MediaType } from "../../core/media/media-type.ts";

export interface MediaMeasure {
  /** Pixels; null where there are none or they are not known. */
  readonly width: number | null;
  readonly height: number | null;
  /** Milliseconds; null where there is no duration or it is not known. */
  readonly durationMs: number | null;
}

export const NOTHING_MEASURED: MediaMeasure = { width: null, height: null, durationMs: null };

/**
 * Reads what pictures and most sounds say of themselves at their beginning and end; of what `isContainer` is true, the
 * whole file tells it. Nothing is decoded, so no bomb goes off; what cannot be read is null.
 */
export function measureMedia(type: MediaType, head: Buffer, tail: Buffer, bytes: number): MediaMeasure {
  try {
    if (type.kind === "image") {
      const { width, height } = imageSize(head);
      return { ...NOTHING_MEASURED, width: plausible(width), height: plausible(height) };
    }
    return { ...NOTHING_MEASURED, durationMs: plausible(soundDuration(type.extension, { head, tail, bytes })) };
  } catch {
    return NOTHING_MEASURED;
  }
}

/** Files say anything of themselves. */
export function plausible(value: number | null): number | null {
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Whether the measures of such a file may lie anywhere in it (`measureContainer`). */
export const isContainer = ({ extension }: MediaType): boolean => CONTAINERS.has(extension);

const CONTAINERS: ReadonlySet<string> = new Set(["mp4", "m4a", "webm", "aac"]);
