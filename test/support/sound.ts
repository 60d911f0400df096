/** Kilobits a second of MPEG audio layer III by the header's four bits: MPEG 1, then MPEG 2 and 2.5 (ISO 11172-3, 13818-3). */
const KILOBITS = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const HERTZ: Readonly<Record<number, readonly number[]>> = {
  0: [11_025, 12_000, 8_000],
  2: [22_050, 24_000, 16_000],
  3: [44_100, 48_000, 32_000],
};

export interface Mp3 {
  readonly frames: number;
  readonly seconds: number;
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  /** How many frames differ from each other: silence repeats itself. */
  readonly different: number;
}

/** Reads an MP3 frame by frame; fails on any byte that belongs to none. */
export function mp3Of(bytes: Buffer): Mp3 {
  let at = 0;
  let seconds = 0;
  let sampleRate = 0;
  let channels: 1 | 2 = 1;
  const bodies = new Set<string>();
  let frames = 0;
  while (at < bytes.length) {
    const header = bytes.readUInt32BE(at);
    if (header >>> 21 !== 0x7ff) throw new Error(`no frame at byte ${at} of ${bytes.length}`);
    const version = (header >>> 19) & 3;
    if (((header >>> 17) & 3) !== 1) throw new Error("not layer III");
    const rate = HERTZ[version]?.[(header >>> 10) & 3];
    const kilobits = KILOBITS[version === 3 ? 0 : 1][(header >>> 12) & 15];
    if (rate === undefined || kilobits === undefined || kilobits === 0) throw new Error(`a bad header at byte ${at}`);
    const samples = version === 3 ? 1_152 : 576;
    const length = Math.floor((samples * kilobits * 125) / rate) + ((header >>> 9) & 1);
    if (at + length > bytes.length) throw new Error("the last frame is not whole");
    bodies.add(bytes.toString("latin1", at + 4, at + length));
    sampleRate = rate;
    channels = ((header >>> 6) & 3) === 3 ? 1 : 2;
    seconds += samples / rate;
    frames += 1;
    at += length;
  }
  return { frames, seconds, sampleRate, channels, different: bodies.size };
}

export interface Wav {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bits: number;
  readonly seconds: number;
  /** The loudest sample, 0 to 1. */
  readonly peak: number;
}

/** Reads a WAV file of 16 bits; fails when its header and its size do not agree. */
export function wavOf(bytes: Buffer): Wav {
  const text = (from: number, to: number): string => bytes.toString("latin1", from, to);
  if (text(0, 4) !== "RIFF" || text(8, 16) !== "WAVEfmt " || text(36, 40) !== "data") throw new Error("no WAV header");
  if (bytes.readUInt32LE(4) !== bytes.length - 8) throw new Error("RIFF tells a wrong size");
  if (bytes.readUInt32LE(40) !== bytes.length - 44) throw new Error("data tells a wrong size");
  if (bytes.readUInt16LE(20) !== 1) throw new Error("not PCM");
  const channels = bytes.readUInt16LE(22);
  const sampleRate = bytes.readUInt32LE(24);
  let peak = 0;
  for (let at = 44; at + 1 < bytes.length; at += 2) peak = Math.max(peak, Math.abs(bytes.readInt16LE(at)) / 0x8000);
  return {
    sampleRate,
    channels,
    bits: bytes.readUInt16LE(34),
    seconds: (bytes.length - 44) / bytes.readUInt32LE(28),
    peak,
  };
}

/** Samples of a tone: 24 kHz, 16 bit, mono, little-endian, as Qwen-TTS and OpenAI's `pcm` give them. */
export function samplesOf(seconds: number, hertz = 220): Buffer {
  const count = Math.round(24_000 * seconds);
  const samples = Buffer.alloc(2 * count);
  for (let index = 0; index < count; index += 1) {
    samples.writeInt16LE(Math.round(9_000 * Math.sin((2 * Math.PI * hertz * index) / 24_000)), 2 * index);
  }
  return samples;
}

/** The same as a WAV file. */
export function wavFile(samples: Buffer, sampleRate = 24_000, channels = 1): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + samples.length, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(2 * channels * sampleRate, 28);
  header.writeUInt16LE(2 * channels, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}
