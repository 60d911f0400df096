import { SPEECH_PCM, wavHeader } from "../../core/speech/speech-wav.ts";
import { encodeMp3 } from "../../services/speech/mp3-stream.ts";
import { writeOpus } from "./opus.ts";
import type { Melody } from "./tones.ts";

/** Sound is made and sent in pieces of this length. */
export const PIECE_SECONDS = 0.5;
/** Pieces that leave before `sandbox:cut` breaks the connection. */
export const PIECES_BEFORE_CUT = 2;

/** Formats that the sandbox really makes. */
export const SOUND_TYPES = { mp3: "audio/mpeg", opus: "audio/opus", wav: "audio/wav", pcm: "audio/pcm" } as const;
export type SoundFormat = keyof typeof SOUND_TYPES;

/** A melody as a file of this format, piece by piece. */
export async function* writeSound(melody: Melody, format: SoundFormat): AsyncGenerator<Buffer, void, undefined> {
  if (format === "opus") return yield* writeOpus(melody);
  if (format === "wav") yield wavHeader(melody.bytes, SPEECH_PCM);
  if (format === "mp3") yield* encodeMp3(spoken(melody), () => SPEECH_PCM);
  else yield* melody.samples(PIECE_SECONDS);
}

async function* spoken(melody: Melody): AsyncGenerator<Buffer, void, undefined> {
  yield* melody.samples(PIECE_SECONDS);
}
