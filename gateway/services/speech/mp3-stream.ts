import { setImmediate as nextTurn } from "node:timers/promises";
import { frameBytes } from "../../core/speech/speech-wav.ts";
import type { PcmFormat } from "../../core/speech/speech-wav.ts";
import type { Lame } from "./lame.ts";

/** Kilobits a second by channels: good for a voice at 24 kHz. */
const BITRATES = { 1: 64, 2: 128 } as const;
/** Samples that are encoded without letting others work: about 2 ms. */
const SAMPLES_AT_ONCE = 8_192;
/** Max idle encoders; each uses a few megabytes. */
const MOST_IDLE = 2;

const idle: Lame[] = [];

async function takeLame(): Promise<Lame> {
  const pooled = idle.pop();
  if (pooled !== undefined) return pooled;
  const { createLame } = await import("./lame.ts");
  return createLame();
}

/**
 * Encodes audio as MP3 while it arrives. With a constant bit rate and no header it plays from the first frame, and its
 * size determines its duration.
 * @param sound whole samples of `format`, which is known from the first chunk on.
 */
export async function* encodeMp3(
  sound: AsyncIterable<Buffer>,
  format: () => PcmFormat,
): AsyncGenerator<Buffer, void, undefined> {
  const lame = await takeLame();
  let channels: PcmFormat["channels"] | null = null;
  for await (const pcm of sound) {
    if (pcm.length === 0) continue;
    if (channels === null) {
      const { sampleRate } = format();
      channels = format().channels;
      lame.configure({ channels, sampleRate, bitrate: BITRATES[channels] });
    }
    const step = SAMPLES_AT_ONCE * frameBytes(format());
    for (let at = 0; at < pcm.length; at += step) {
      if (at > 0) await nextTurn();
      const frames = lame.encode(listFloats(pcm.subarray(at, at + step), channels));
      if (frames.length > 0) yield Buffer.from(frames);
    }
  }
  if (channels !== null) {
    const frames = Buffer.from(lame.finalize());
    if (frames.length > 0) yield frames;
  }
  // An encoder whose input broke off is not reused.
  if (idle.length < MOST_IDLE) idle.push(lame);
}

/** Returns a list of samples from -1 to 1 for each channel. */
function listFloats(pcm: Buffer, channels: number): Float32Array[] {
  const samples = pcm.length / 2 / channels;
  const lists = Array.from({ length: channels }, () => new Float32Array(samples));
  for (const [channel, list] of lists.entries()) {
    for (let index = 0; index < samples; index += 1) {
      list[index] = pcm.readInt16LE(2 * (index * channels + channel)) / 0x8000;
    }
  }
  return lists;
}
