import { flacDuration, mp3Duration, oggDuration, wavDuration } from "./media-duration.ts";
import type { AudioParts } from "./media-duration.ts";
import { TYPE_BYTES, mediaTypeOf } from "./media-type.ts";
import { SPEECH_PCM, pcmSeconds } from "./speech-wav.ts";

const MEASURES: Readonly<Record<string, (parts: AudioParts) => number | null>> = {
  wav: wavDuration,
  mp3: mp3Duration,
  ogg: oggDuration,
  flac: flacDuration,
};

/**
 * How long a whole sound is, for vendors that bill by length and report none.
 * @param format as `response_format` names it; files are known by their bytes.
 * @returns seconds; null where they cannot be told (AAC keeps them to itself).
 */
export function soundSeconds(sound: Buffer, format: string): number | null {
  if (format === "pcm") return pcmSeconds(sound.length, SPEECH_PCM);
  const measure = MEASURES[mediaTypeOf(sound.subarray(0, TYPE_BYTES))?.extension ?? ""];
  const milliseconds = measure?.({ head: sound, tail: sound, bytes: sound.length }) ?? null;
  return milliseconds === null ? null : milliseconds / 1_000;
}
