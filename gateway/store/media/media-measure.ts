import type { MediaType } from "../../core/media/media-type.ts";
import { readPicture } from "../../core/media/picture-type.ts";
import { soundSeconds } from "../../core/transcription/sound-file.ts";

export interface MediaMeasure {
  /** Pixels; null without any, or if unknown. */
  readonly width: number | null;
  readonly height: number | null;
  /** Milliseconds; null if it has no duration or it is not known. */
  readonly durationMs: number | null;
}

export const NOTHING_MEASURED: MediaMeasure = { width: null, height: null, durationMs: null };

/**
 * Reads the size of a picture, and the duration of audio that fits completely into the head; other files have to be
 * read whole (`measureContainer`). Nothing is decoded, so decompression bombs are harmless; unreadable values are null.
 */
export function measureMedia(type: MediaType, head: Buffer, bytes: number): MediaMeasure {
  if (isReadWhole(type, head.length, bytes)) return NOTHING_MEASURED;
  if (type.kind === "audio") return { ...NOTHING_MEASURED, durationMs: toMilliseconds(soundSeconds(head)) };
  try {
    return { ...NOTHING_MEASURED, ...readSize(type, head) };
  } catch {
    return NOTHING_MEASURED;
  }
}

/** @throws RangeError if the head is too short */
function readSize({ extension }: MediaType, head: Buffer): Partial<MediaMeasure> {
  if (extension === "gif") return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  // The size is used even without image data, because it may be a decompression bomb.
  if (extension === "png" && head.toString("latin1", 12, 16) === "IHDR")
    return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  const picture = readPicture(head);
  return picture === null ? {} : { width: picture.width, height: picture.height };
}

/** Converts to whole milliseconds; null for an invalid duration. */
export const toMilliseconds = (seconds: number | null): number | null =>
  seconds === null || seconds <= 0 ? null : plausible(Math.round(seconds * 1_000));

/** Checks declared values, because files may claim anything. */
export function plausible(value: number | null): number | null {
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Whether the measures of a file may lie anywhere in it, and are in no beginning of this length. */
export const isReadWhole = ({ kind, extension }: MediaType, headBytes: number, bytes: number): boolean =>
  kind === "video" || extension === "m4a" || (kind === "audio" && headBytes < bytes);
