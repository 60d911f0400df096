import { ADTS, CustomSource, Input, MP4, WEBM } from "mediabunny";
import type { InputFormat } from "mediabunny";
import { within } from "../lib/within.ts";
import { NOTHING_MEASURED, plausible } from "./media-measure.ts";
import type { MediaMeasure } from "./media-measure.ts";
import type { StoreFile } from "./store-fs.ts";

/** Types whose measures may lie anywhere in the file, by our extensions. */
const FORMATS: Readonly<Record<string, InputFormat>> = { mp4: MP4, m4a: MP4, webm: WEBM, aac: ADTS };
const PATIENCE_MS = 5_000;
/** An index of a video of hours has some megabytes; what says that it has more is not read. */
const LONGEST_READ = 16 * 1024 * 1024;
/** Of a live recording or AAC all of it may have to be read: hours of sound, minutes of video. */
const MOST_BYTES = 128 * 1024 * 1024;
const CACHE_BYTES = 8 * 1024 * 1024;

/**
 * Reads size and duration of a video, or of AAC, from the whole file: its index may be at the end. Nothing is decoded.
 * Bounded in time and memory, and never rejects: what cannot be read is null.
 */
export async function measureContainer(extension: string, file: StoreFile, bytes: number): Promise<MediaMeasure> {
  const format = FORMATS[extension];
  if (format === undefined) return NOTHING_MEASURED;
  const input = new Input({ source: sourceOf(file, bytes), formats: [format] });
  try {
    const reading = read(input);
    return (await within(reading, PATIENCE_MS)) ? await reading : NOTHING_MEASURED;
  } catch {
    // A broken file is kept all the same; players take more than readers do.
    return NOTHING_MEASURED;
  } finally {
    input.dispose();
  }
}

async function read(input: Input): Promise<MediaMeasure> {
  const video = await input.getPrimaryVideoTrack();
  const [width, height] =
    video === null ? [null, null] : await Promise.all([video.getDisplayWidth(), video.getDisplayHeight()]);
  const measure = { width: plausible(width), height: plausible(height), durationMs: null };
  // Its size is told even when its length cannot be found.
  const seconds = await durationOf(input).catch(() => null);
  return { ...measure, durationMs: seconds === null || seconds <= 0 ? null : plausible(Math.round(seconds * 1_000)) };
}

async function durationOf(input: Input): Promise<number | null> {
  return (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
}

function sourceOf(file: StoreFile, bytes: number): CustomSource {
  let left = MOST_BYTES;
  return new CustomSource({
    getSize: () => bytes,
    read: async (start, end) => {
      left -= end - start;
      if (end - start > LONGEST_READ || left < 0) throw new RangeError("more would have to be read than is allowed");
      const chunk = new Uint8Array(end - start);
      return chunk.subarray(0, await file.read(chunk, start));
    },
    maxCacheSize: CACHE_BYTES,
    prefetchProfile: "fileSystem",
    // Of what was read ahead: the reader that needs it is told.
    handleUnhandledError: () => undefined,
  });
}
