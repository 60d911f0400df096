import { closeSync, openSync, readSync } from "node:fs";
import { isoFilm, matroskaFilm } from "../../core/media/container-duration.ts";
import type { Film } from "../../core/media/container-duration.ts";
import { soundSeconds } from "../../core/transcription/sound-file.ts";
import type { MeasureTask } from "./media-container.ts";
import { NOTHING_MEASURED, plausible, toMilliseconds } from "./media-measure.ts";
import type { MediaMeasure } from "./media-measure.ts";

/** Max bytes of audio or WebM that are read, and of the index boxes of an MP4. */
const MAX_BYTES = 128 * 1024 * 1024;
/** Max top-level boxes of an MP4: two per second of a day. */
const MAX_BOXES = 200_000;
/** Boxes of an MP4 with its index. */
const INDEX = /moov|moof/;

/** Measures a video or a sound on the disk, of any size; what cannot be read is null. */
export function measureFile({ path, extension, bytes }: MeasureTask): MediaMeasure {
  let file: number | null = null;
  try {
    file = openSync(path, "r");
    const { width, height, seconds } = readFilm(new FileBytes(file, bytes), extension);
    return { width: plausible(width), height: plausible(height), durationMs: toMilliseconds(seconds) };
  } catch {
    return NOTHING_MEASURED;
  } finally {
    if (file !== null) closeSync(file);
  }
}

function readFilm(file: FileBytes, extension: string): Film {
  if (extension === "mp4" || extension === "m4a") return isoFilm(readIndex(file));
  const whole = file.read(0, file.length);
  if (extension === "webm") return matroskaFilm(whole);
  return { width: null, height: null, seconds: soundSeconds(whole) };
}

/** The boxes of an MP4 without those of its pictures and sound. */
function readIndex(file: FileBytes): Buffer {
  const boxes: Buffer[] = [];
  for (let at = 0, left = MAX_BOXES; at + 8 <= file.length && left > 0; left--) {
    const head = file.read(at, at + 16);
    const short = head.readUInt32BE(0);
    const size = short === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : short || file.length - at;
    if (size < 8) break;
    if (INDEX.test(head.toString("latin1", 4, 8))) boxes.push(file.read(at, at + size));
    at += size;
  }
  return Buffer.concat(boxes);
}

/** Bytes of a file, limited to what a valid one needs. */
class FileBytes {
  readonly length: number;
  readonly #file: number;
  #left = MAX_BYTES;

  constructor(file: number, length: number) {
    this.#file = file;
    this.length = length;
  }

  /** @throws RangeError for more than is allowed */
  read(start: number, end: number): Buffer {
    const size = Math.min(end, this.length) - start;
    this.#left -= size;
    if (size < 0 || this.#left < 0) throw new RangeError("more would have to be read than is allowed");
    const bytes = Buffer.allocUnsafe(size);
    return bytes.subarray(0, readSync(this.#file, bytes, 0, size, start));
  }
}
