import { closeSync, openSync, readSync } from "node:fs";
import { ADTS, CustomSource, Input, MP4, WEBM } from "mediabunny";
import type { InputFormat } from "mediabunny";
import type { MeasureTask } from "./media-container.ts";
import { NOTHING_MEASURED, plausible } from "./media-measure.ts";
import type { MediaMeasure } from "./media-measure.ts";

/** Types whose measures may lie anywhere in the file, by our extensions. */
const FORMATS: Readonly<Record<string, InputFormat>> = { mp4: MP4, m4a: MP4, webm: WEBM, aac: ADTS };
/** An index of a video of hours has some megabytes; what says that it has more is not read. */
const LONGEST_READ = 16 * 1024 * 1024;
/** Of a live recording or AAC all of it may have to be read: hours of sound, minutes of video. */
const MOST_BYTES = 128 * 1024 * 1024;
const CACHE_BYTES = 8 * 1024 * 1024;

/** Bytes of the file from `start` up to `end`; fewer at its end. */
export type ReadBytes = (start: number, end: number) => Uint8Array;

/**
 * Reads size and duration of a video, or of AAC, from the whole file: its index may be at the end. Nothing is decoded;
 * what cannot be read is null. A file that lies about its index can make this use any time and memory: call it in a
 * thread of its own.
 */
export async function readContainer(extension: string, bytes: number, read: ReadBytes): Promise<MediaMeasure> {
  const format = FORMATS[extension];
  if (format === undefined) return NOTHING_MEASURED;
  let left = MOST_BYTES;
  const source = new CustomSource({
    getSize: () => bytes,
    read: (start, end) => {
      left -= end - start;
      if (end - start > LONGEST_READ || left < 0) throw new RangeError("more would have to be read than is allowed");
      return read(start, end);
    },
    maxCacheSize: CACHE_BYTES,
    prefetchProfile: "fileSystem",
    // Of what was read ahead: the reader that needs it is told.
    handleUnhandledError: () => undefined,
  });
  const input = new Input({ source, formats: [format] });
  try {
    const video = await input.getPrimaryVideoTrack();
    const [width, height] =
      video === null ? [null, null] : await Promise.all([video.getDisplayWidth(), video.getDisplayHeight()]);
    // Its size is told even when its length cannot be found.
    const seconds = await durationOf(input).catch(() => null);
    const durationMs = seconds === null || seconds <= 0 ? null : plausible(Math.round(seconds * 1_000));
    return { width: plausible(width), height: plausible(height), durationMs };
  } catch {
    return NOTHING_MEASURED;
  } finally {
    input.dispose();
  }
}

async function durationOf(input: Input): Promise<number | null> {
  return (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
}

/** `readContainer` of a file. */
export async function measureFile({ path, extension, bytes }: MeasureTask): Promise<MediaMeasure> {
  const file = openSync(path, "r");
  try {
    return await readContainer(extension, bytes, (start, end) => {
      const chunk = new Uint8Array(end - start);
      return chunk.subarray(0, readSync(file, chunk, 0, chunk.length, start));
    });
  } finally {
    closeSync(file);
  }
}
