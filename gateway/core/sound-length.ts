import { SPEECH_PCM, PcmReader, pcmSeconds } from "./speech-wav.ts";

/**
 * How long a sound is, told by its bytes, for vendors that bill by length and report none.
 * @param format as `response_format` names it.
 * @returns seconds; null where the format keeps it to itself.
 */
export function soundSeconds(sound: Buffer, format: string): number | null {
  switch (format) {
    case "pcm":
      return pcmSeconds(sound.length, SPEECH_PCM);
    case "wav":
      return wavSeconds(sound);
    case "mp3":
      return mp3Seconds(sound);
    default:
      return null;
  }
}

function wavSeconds(sound: Buffer): number | null {
  const reader = new PcmReader(null);
  try {
    const samples = reader.push(sound);
    return reader.format === null ? null : pcmSeconds(samples.length, reader.format);
  } catch {
    return null;
  }
}

/** Kilobits a second of layer III by the four bits of a frame's header: MPEG 1, then MPEG 2 and 2.5. */
const BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
/** Samples a second by the two bits for them: MPEG 2.5, reserved, MPEG 2, MPEG 1. */
const RATES = [[11_025, 12_000, 8_000], [], [22_050, 24_000, 16_000], [44_100, 48_000, 32_000]] as const;

/** One frame of MPEG audio, layer III. */
export interface Mp3Frame {
  readonly bytes: number;
  readonly samples: number;
  readonly sampleRate: number;
  readonly channels: 1 | 2;
}

/** The frame that begins at `at`; null when none does. */
export function mp3FrameAt(sound: Buffer, at: number): Mp3Frame | null {
  if (at + 4 > sound.length) return null;
  const [sync = 0, version = 0, rates = 0, mode = 0] = sound.subarray(at, at + 4);
  if (sync !== 0xff || (version & 0xe0) !== 0xe0 || ((version >> 1) & 3) !== 1) return null;
  const generation = (version >> 3) & 3;
  const sampleRate = RATES[generation]?.[(rates >> 2) & 3];
  const kilobits = BITRATES[generation === 3 ? 0 : 1][rates >> 4];
  if (sampleRate === undefined || kilobits === undefined || kilobits === 0) return null;
  const samples = generation === 3 ? 1_152 : 576;
  const bytes = Math.floor((samples * kilobits * 125) / sampleRate) + ((rates >> 1) & 1);
  return { bytes, samples, sampleRate, channels: mode >> 6 === 3 ? 1 : 2 };
}

/** Frames counted one after another; tags in front are passed over. */
function mp3Seconds(sound: Buffer): number | null {
  let seconds = 0;
  for (let at = tagBytes(sound); at < sound.length;) {
    const frame = mp3FrameAt(sound, at);
    if (frame === null) return seconds === 0 ? null : seconds;
    seconds += frame.samples / frame.sampleRate;
    at += frame.bytes;
  }
  return seconds === 0 ? null : seconds;
}

/** The length of an ID3 tag in front: its size is written in four bytes of seven bits. */
function tagBytes(sound: Buffer): number {
  if (sound.length < 10 || sound.toString("latin1", 0, 3) !== "ID3") return 0;
  const [a = 0, b = 0, c = 0, d = 0] = sound.subarray(6, 10);
  return 10 + (a << 21) + (b << 14) + (c << 7) + d;
}
