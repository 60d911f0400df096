/**
 * Duration of a complete audio file by its frames or pages, walked from first to last: header claims are not trusted
 * where money depends on them. Nothing is decoded or copied, and every byte is read at most once, whatever the file
 * contains.
 */

/** @returns seconds; null if unknown */
export function wavSeconds(file: Buffer): number | null {
  let bytesPerSecond = 0;
  for (let at = RIFF_BYTES; at + CHUNK_HEAD <= file.length;) {
    const name = file.toString("latin1", at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const body = at + CHUNK_HEAD;
    if (name === "fmt " && body + 16 <= file.length) bytesPerSecond = wavRate(file, body);
    if (name === "data") {
      const there = file.length - body;
      // Files that were written while recording state 0 or the max value as their length.
      const length = size === 0 || size > there ? there : size;
      return bytesPerSecond > 0 && length > 0 ? length / bytesPerSecond : null;
    }
    at = body + size + (size & 1);
  }
  return null;
}

const RIFF_BYTES = 12;
const CHUNK_HEAD = 8;
const PCM: ReadonlySet<number> = new Set([1, 3, 0xfffe]);

/** Returns bytes per second: computed for samples; a compressed format only states its rate in the header. */
function wavRate(file: Buffer, at: number): number {
  const samples = file.readUInt32LE(at + 4);
  const block = file.readUInt16LE(at + 2) * (file.readUInt16LE(at + 14) >> 3);
  return PCM.has(file.readUInt16LE(at)) && block > 0 ? samples * block : file.readUInt32LE(at + 8);
}

/** A frame of MPEG audio or AAC. */
interface Frame {
  readonly bytes: number;
  readonly seconds: number;
}

/** Layer III. @returns seconds; null when there is no frame */
export const mp3Seconds = (file: Buffer): number | null => sumFrames(file, skipId3(file), mp3Frame);

/** AAC in ADTS. @returns seconds; null when there is no frame */
export const adtsSeconds = (file: Buffer): number | null => sumFrames(file, skipId3(file), adtsFrame);

/** Max false frame starts: a file that is full of them is no sound. */
const MOST_LOOKALIKES = 1_000_000;

/** Sums the frames; after junk, the next frame must be followed by another one, or by the end of the file. */
function sumFrames(file: Buffer, start: number, frameAt: (file: Buffer, at: number) => Frame | null): number | null {
  let seconds = 0;
  let inStep = false;
  let lookalikes = 0;
  for (let at = start; at >= 0 && at < file.length;) {
    const frame = frameAt(file, at);
    const end = at + (frame?.bytes ?? 0);
    if (frame !== null && (inStep || end >= file.length || frameAt(file, end) !== null)) {
      seconds += frame.seconds;
      inStep = true;
      at = end;
    } else {
      inStep = false;
      lookalikes += 1;
      if (lookalikes > MOST_LOOKALIKES) return null;
      at = file.indexOf(SYNC, at + 1);
    }
  }
  return seconds > 0 ? seconds : null;
}

const SYNC = 0xff;

/** Returns the length of a tag before the sound (https://id3.org/id3v2.4.0-structure, 3.1); 0 without a tag. */
function skipId3(file: Buffer): number {
  if (file.length < 10 || file.toString("latin1", 0, 3) !== "ID3") return 0;
  const [a = 0, b = 0, c = 0, d = 0] = file.subarray(6, 10);
  return 10 + ((a & 127) << 21) + ((b & 127) << 14) + ((c & 127) << 7) + (d & 127);
}

/** Kilobits a second of layer III, by version: MPEG 1, then MPEG 2 and 2.5. */
const BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const MP3_RATES = [44_100, 48_000, 32_000] as const;

function mp3Frame(file: Buffer, at: number): Frame | null {
  const second = file[at + 1] ?? 0;
  const third = file[at + 2] ?? 0;
  const version = (second >> 3) & 3;
  if (file[at] !== SYNC || (second & 0xe6) !== 0xe2 || version === 1) return null;
  const kilobits = BITRATES[version === 3 ? 0 : 1][third >> 4] ?? 0;
  const base = MP3_RATES[(third >> 2) & 3];
  if (kilobits === 0 || base === undefined) return null;
  const rate = version === 3 ? base : version === 2 ? base / 2 : base / 4;
  const samples = version === 3 ? 1_152 : 576;
  return { bytes: Math.floor((samples * 125 * kilobits) / rate) + ((third >> 1) & 1), seconds: samples / rate };
}

/** Samples a second by the header's four bits (ISO/IEC 14496-3, table 1.18). */
const AAC_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
] as const;
const AAC_HEAD = 7;

function adtsFrame(file: Buffer, at: number): Frame | null {
  if (at + AAC_HEAD > file.length || file[at] !== SYNC || ((file[at + 1] ?? 0) & 0xf6) !== 0xf0) return null;
  const rate = AAC_RATES[((file[at + 2] ?? 0) >> 2) & 15];
  const bytes = (((file[at + 3] ?? 0) & 3) << 11) | ((file[at + 4] ?? 0) << 3) | ((file[at + 5] ?? 0) >> 5);
  if (rate === undefined || bytes < AAC_HEAD) return null;
  return { bytes, seconds: (1_024 * (((file[at + 6] ?? 0) & 3) + 1)) / rate };
}

/** A stream of an Ogg file. */
interface OggStream {
  readonly rate: number;
  /** Samples that a decoder throws away first. */
  readonly skipped: number;
  last: number;
}

const PAGE = Buffer.from("OggS");
const PAGE_HEAD = 27;
/** Max streams of a file: chains of songs have some dozens. */
const MAX_STREAMS = 10_000;

/**
 * Opus, Vorbis, Speex and FLAC in Ogg (RFC 3533): the last sample of each stream, summed over all streams, because
 * chained streams follow each other.
 * @returns seconds; null without a known audio stream
 */
export function oggSeconds(file: Buffer): number | null {
  const streams = new Map<number, OggStream | null>();
  for (let at = file.indexOf(PAGE); at >= 0 && at + PAGE_HEAD <= file.length;) {
    const serial = file.readUInt32LE(at + 14);
    const segments = file[at + 26] ?? 0;
    const body = at + PAGE_HEAD + segments;
    let end = body;
    for (let index = at + PAGE_HEAD; index < body; index += 1) end += file[index] ?? 0;
    if (streams.size > MAX_STREAMS) return null;
    if (!streams.has(serial)) streams.set(serial, oggStream(file.subarray(body, body + 64)));
    const stream = streams.get(serial);
    const sample = Number(file.readBigInt64LE(at + 6));
    if (stream != null && sample > stream.last) stream.last = sample;
    at = file.indexOf(PAGE, end);
  }
  let seconds = 0;
  for (const stream of streams.values()) {
    if (stream !== null) seconds += Math.max(0, stream.last - stream.skipped) / stream.rate;
  }
  return seconds > 0 ? seconds : null;
}

/** Reads packet 1: RFC 7845; Vorbis I, 4.2.2; https://www.speex.org/docs/manual/speex-manual/node8.html; RFC 9639, 10.1. */
function oggStream(head: Buffer): OggStream | null {
  const starts = (text: string): boolean => head.toString("latin1", 0, text.length) === text;
  if (starts("OpusHead") && head.length >= 12) return { rate: 48_000, skipped: head.readUInt16LE(10), last: 0 };
  if (starts("\x01vorbis") && head.length >= 16) return createStream(head.readUInt32LE(12));
  if (starts("Speex   ") && head.length >= 40) return createStream(head.readUInt32LE(36));
  return starts("\x7fFLAC") && head.length >= 30 ? createStream(head.readUIntBE(27, 3) >> 4) : null;
}

const createStream = (rate: number): OggStream | null => (rate > 0 ? { rate, skipped: 0, last: 0 } : null);

/** FLAC, by its first block, which counts the samples (RFC 9639, 8.2). @returns seconds; null when it does not */
export function flacSeconds(file: Buffer): number | null {
  if (file.length < 26) return null;
  const rate = file.readUIntBE(18, 3) >> 4;
  const samples = ((file[21] ?? 0) & 15) * 2 ** 32 + file.readUInt32BE(22);
  return rate > 0 && samples > 0 ? samples / rate : null;
}
