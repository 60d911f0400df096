/** Sound without compression: 16 bit, little-endian, channels interleaved. */
export interface PcmFormat {
  /** Samples a second. */
  readonly sampleRate: number;
  readonly channels: 1 | 2;
}

/** Format of Qwen-TTS and OpenAI's `pcm` (docs/providers/openai.md#speech and docs/providers/dashscope.md#speech). */
export const SPEECH_PCM: PcmFormat = { sampleRate: 24_000, channels: 1 };

/** The file is not a WAV file, or of a kind that is not used for speech. */
export class WavError extends Error {
  override readonly name = "WavError";
}

const BYTES_PER_SAMPLE = 2;
const RIFF_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
const FORMAT_BYTES = 16;
const PCM = 1;
const EXTENSIBLE = 0xfffe;
/** Max bytes of lists and notes before the sound; a longer header is invalid. */
const LONGEST_HEADER = 1024 * 1024;
const NONE = Buffer.alloc(0);

/** Bytes of one sample of all channels. */
export function frameBytes({ channels }: PcmFormat): number {
  return channels * BYTES_PER_SAMPLE;
}

/** Seconds of that many bytes of sound. */
export function pcmSeconds(bytes: number, format: PcmFormat): number {
  return bytes / (frameBytes(format) * format.sampleRate);
}

/** Builds a WAV header of 44 bytes. @param dataBytes of the sound after it. */
export function wavHeader(dataBytes: number, format: PcmFormat): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + dataBytes, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(FORMAT_BYTES, 16);
  header.writeUInt16LE(PCM, 20);
  header.writeUInt16LE(format.channels, 22);
  header.writeUInt32LE(format.sampleRate, 24);
  header.writeUInt32LE(format.sampleRate * frameBytes(format), 28);
  header.writeUInt16LE(frameBytes(format), 32);
  header.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(dataBytes, 40);
  return header;
}

/**
 * Extracts samples from a stream with or without a WAV header. Its output is whole samples, however the stream was
 * split.
 */
export class PcmReader {
  /** Null until the header was read. */
  format: PcmFormat | null = null;
  readonly #bare: PcmFormat | null;
  #rest: Buffer = NONE;
  /** Bytes of sound still to come; bytes after them are not sound. */
  #left = Number.POSITIVE_INFINITY;

  /** @param bare the format of a stream without a header; null when there has to be one. */
  constructor(bare: PcmFormat | null) {
    this.#bare = bare;
  }

  /** @throws WavError */
  push(chunk: Buffer): Buffer {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = NONE;
    const start = this.format === null ? this.#begin(bytes) : 0;
    if (start === null || this.format === null) {
      this.#rest = bytes;
      return NONE;
    }
    const sound = bytes.subarray(start, Math.min(bytes.length, start + this.#left));
    const whole = sound.length - (sound.length % frameBytes(this.format));
    this.#left -= whole;
    // Notes may follow the sound of a file.
    if (start + whole < bytes.length && this.#left > 0) this.#rest = Buffer.from(sound.subarray(whole));
    return sound.subarray(0, whole);
  }

  /** Returns the offset of the sound; null while the header is incomplete. */
  #begin(bytes: Buffer): number | null {
    const beginning = bytes.toString("latin1", 0, 4);
    if (!"RIFF".startsWith(beginning)) return this.#beginBare();
    if (bytes.length < RIFF_BYTES) return null;
    if (bytes.toString("latin1", 8, RIFF_BYTES) !== "WAVE") return this.#beginBare();
    let format: PcmFormat | null = null;
    let at = RIFF_BYTES;
    while (at + CHUNK_HEAD_BYTES <= bytes.length) {
      const name = bytes.toString("latin1", at, at + 4);
      const size = bytes.readUInt32LE(at + 4);
      const body = at + CHUNK_HEAD_BYTES;
      if (name === "data") {
        if (format === null) throw new WavError("its format is not told before its sound");
        this.format = format;
        this.#left = soundBytes(size);
        return body;
      }
      if (name === "fmt ") {
        if (body + FORMAT_BYTES > bytes.length) return null;
        format = readFormat(bytes, body);
      }
      at = body + size + (size % 2);
      if (at > LONGEST_HEADER) throw new WavError("its header is too long");
    }
    return null;
  }

  #beginBare(): number {
    if (this.#bare === null) throw new WavError("it does not begin with a WAV header");
    this.format = this.#bare;
    return 0;
  }
}

/** Files written while recording have an unknown length: 0 or the max value. */
function soundBytes(size: number): number {
  return size === 0 || size >= 0x7fff_0000 ? Number.POSITIVE_INFINITY : size;
}

function readFormat(bytes: Buffer, at: number): PcmFormat {
  const code = bytes.readUInt16LE(at);
  const channels = bytes.readUInt16LE(at + 2);
  const sampleRate = bytes.readUInt32LE(at + 4);
  const bits = bytes.readUInt16LE(at + 14);
  if ((code !== PCM && code !== EXTENSIBLE) || bits !== 16) {
    throw new WavError(`its sound is of format ${code} with ${bits} bits, not PCM with 16`);
  }
  if ((channels !== 1 && channels !== 2) || sampleRate < 8_000 || sampleRate > 48_000) {
    throw new WavError(`its sound has ${channels} channels at ${sampleRate} Hz`);
  }
  return { sampleRate, channels };
}
