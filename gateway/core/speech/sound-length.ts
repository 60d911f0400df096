import { soundSeconds as fileSeconds } from "../transcription/sound-file.ts";
import { SPEECH_PCM, pcmSeconds } from "./speech-wav.ts";

const MIB = 1024 * 1024;
/** Min bytes of a response limit, enough for a file header or an error. */
const LEAST_BYTES = 4 * MIB;
/** A character spoken as slowly as any provider does, in samples. */
const CHARACTER_BYTES = 32 * 1024;
/** Max bytes of a stream: hours of speech. */
const MOST_BYTES = 128 * MIB;

/** Returns the max bytes of audio for this many characters. */
export function largestSound(characters: number): number {
  return Math.min(MOST_BYTES, LEAST_BYTES + characters * CHARACTER_BYTES);
}

/**
 * Measures complete audio, for providers that bill by duration and report none.
 * @param format value of `response_format`; files are detected by their bytes.
 * @returns seconds; null if unknown.
 */
export function soundSeconds(sound: Buffer, format: string): number | null {
  return format === "pcm" ? pcmSeconds(sound.length, SPEECH_PCM) : fileSeconds(sound);
}
