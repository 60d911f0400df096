import { soundDuration } from "../media/media-duration.ts";
import { TYPE_BYTES, mediaTypeOf } from "../media/media-type.ts";
import { SPEECH_PCM, pcmSeconds } from "./speech-wav.ts";

/**
 * How long a whole sound is, for vendors that bill by length and report none.
 * @param format as `response_format` names it; files are known by their bytes.
 * @returns seconds; null where they cannot be told.
 */
export function soundSeconds(sound: Buffer, format: string): number | null {
  if (format === "pcm") return pcmSeconds(sound.length, SPEECH_PCM);
  const extension = mediaTypeOf(sound.subarray(0, TYPE_BYTES))?.extension ?? "";
  const milliseconds = soundDuration(extension, { head: sound, tail: sound, bytes: sound.length });
  return milliseconds === null ? null : milliseconds / 1_000;
}
