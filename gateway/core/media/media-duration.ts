/**
 * How long a sound is, from its beginning and its end. Nothing is decoded, and nothing is trusted: lengths in the file
 * that cannot be are left aside.
 */

/** What there is of a file. `head` and `tail` may overlap, and may each be all of it. */
export interface AudioParts {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** Of the whole file. */
  readonly bytes: number;
}

/**
 * How long a sound of this type is, by the extension that `mediaTypeOf` gives it.
 * @returns milliseconds, or null when they cannot be told (AAC keeps them to itself)
 */
export function soundDuration(extension: string, parts: AudioParts): number | null {
  switch (extension) {
    case "wav":
      return wavDuration(parts);
    case "mp3":
      return mp3Duration(parts);
    case "ogg":
      return oggDuration(parts);
    case "flac":
      return flacDuration(parts);
    default:
      return null;
  }
}

/** @returns milliseconds, or null when they cannot be told */
export function wavDuration({ head, bytes }: AudioParts): number | null {
  const view = viewOf(head);
  let byteRate = 0;
  for (let offset = 12; offset + 8 <= head.length;) {
    const name = String.fromCharCode(...head.subarray(offset, offset + 4));
    const size = view.getUint32(offset + 4, true);
    if (name === "fmt " && offset + 20 <= head.length) byteRate = view.getUint32(offset + 16, true);
    if (name === "data") {
      // Streamed files say 0 or the largest number there is, because they were sent before their length was known.
      const there = bytes - offset - 8;
      const length = size === 0 || size > there ? there : size;
      return byteRate > 0 ? Math.round((length / byteRate) * 1_000) : null;
    }
    offset += 8 + size + (size & 1);
  }
  return null;
}

/** @returns milliseconds, or null when they cannot be told */
export function flacDuration({ head }: AudioParts): number | null {
  if (head.length < 26) return null;
  const view = viewOf(head);
  const rate = view.getUint32(18) >>> 12;
  const samples = (view.getUint8(21) & 15) * 2 ** 32 + view.getUint32(22);
  return rate > 0 && samples > 0 ? Math.round((samples / rate) * 1_000) : null;
}

/** Opus in Ogg counts in 48ths of a millisecond, less what the decoder skips first (RFC 7845, 4). */
export function oggDuration({ head, tail }: AudioParts): number | null {
  const start = indexOf(head, "OpusHead");
  if (start < 0 || start + 12 > head.length) return null;
  const skipped = viewOf(head).getUint16(start + 10, true);
  const last = lastIndexOf(tail, "OggS");
  if (last < 0 || last + 14 > tail.length) return null;
  const granule = Number(viewOf(tail).getBigInt64(last + 6, true));
  return granule > skipped ? Math.round((granule - skipped) / 48) : null;
}

/** Kilobits per second of layer III, by version: MPEG 1, then MPEG 2 and 2.5. */
const BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const RATES = [44_100, 48_000, 32_000] as const;

interface Frame {
  readonly length: number;
  readonly samples: number;
  readonly rate: number;
}

/**
 * Walks the frames of an MP3 as far as `head` goes. Of a longer file the rest is taken to be like the beginning, unless
 * the encoder wrote down the number of frames.
 * @returns milliseconds, or null when there is no frame
 */
export function mp3Duration({ head, bytes }: AudioParts): number | null {
  const start = skipTag(head);
  let ms = 0;
  let offset = start;
  for (let frame = frameAt(head, offset); frame !== null; frame = frameAt(head, offset)) {
    if (ms === 0) {
      const frames = countedFrames(head, offset, frame);
      if (frames !== null) return Math.round((frames * frame.samples * 1_000) / frame.rate);
    }
    ms += (frame.samples * 1_000) / frame.rate;
    offset += frame.length;
  }
  if (ms === 0) return null;
  const walkedAll = head.length >= bytes || offset < head.length - LONGEST_FRAME;
  return Math.round(walkedAll ? ms : (ms * (bytes - start)) / (offset - start));
}

const LONGEST_FRAME = 2_881;

function skipTag(head: Uint8Array): number {
  if (indexOf(head.subarray(0, 3), "ID3") !== 0) return 0;
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
  return 10 + ((a & 127) << 21) + ((b & 127) << 14) + ((c & 127) << 7) + (d & 127);
}

function frameAt(bytes: Uint8Array, offset: number): Frame | null {
  const [first = 0, second = 0, third = 0] = bytes.subarray(offset, offset + 3);
  const version = (second >> 3) & 3;
  if (first !== 0xff || (second & 0xe6) !== 0xe2 || version === 1) return null;
  const bitrate = BITRATES[version === 3 ? 0 : 1][third >> 4] ?? 0;
  const base = RATES[(third >> 2) & 3];
  if (bitrate === 0 || base === undefined) return null;
  const rate = version === 3 ? base : version === 2 ? base / 2 : base / 4;
  const samples = version === 3 ? 1_152 : 576;
  return { rate, samples, length: Math.floor((samples * 125 * bitrate) / rate) + ((third >> 1) & 1) };
}

/** Encoders of varying bitrates write the number of frames into the first one, which is silent. */
function countedFrames(head: Uint8Array, offset: number, frame: Frame): number | null {
  const first = head.subarray(offset, offset + Math.min(frame.length, 200));
  for (const [name, flagAt, countAt] of [
    ["Xing", 4, 8],
    ["Info", 4, 8],
    ["VBRI", 0, 14],
  ] as const) {
    const at = indexOf(first, name);
    if (at < 0 || at + countAt + 4 > first.length) continue;
    const view = viewOf(first);
    if (flagAt > 0 && (view.getUint32(at + flagAt) & 1) === 0) continue;
    const frames = view.getUint32(at + countAt);
    if (frames > 0) return frames;
  }
  return null;
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function matchesAt(bytes: Uint8Array, offset: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[offset + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

function indexOf(bytes: Uint8Array, text: string): number {
  const last = Math.min(bytes.length, 4_096) - text.length;
  for (let offset = 0; offset <= last; offset += 1) if (matchesAt(bytes, offset, text)) return offset;
  return -1;
}

function lastIndexOf(bytes: Uint8Array, text: string): number {
  for (let offset = bytes.length - text.length; offset >= 0; offset -= 1) {
    if (matchesAt(bytes, offset, text)) return offset;
  }
  return -1;
}
