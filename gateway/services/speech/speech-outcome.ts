import type { Units } from "../../core/models/model.ts";
import { soundSeconds } from "../../core/speech/sound-length.ts";
import { billsCharacters } from "../../core/speech/speech-units.ts";
import { SPEECH_PCM, wavHeader } from "../../core/speech/speech-wav.ts";
import type { Opened } from "../calls/attempts.ts";
import { callOrigin } from "../media/call-origin.ts";
import type { KeepMedia } from "../media/keep-media.ts";
import { ownCount } from "./speech-call.ts";
import type { SpeechRun } from "./speech-call.ts";
import type { SpeechSource } from "./speech-source.ts";

/** What was used for the sound that came. */
export interface SpeechCount {
  readonly units: Units;
  readonly estimated: boolean;
}

/** The provider's figures where it gave some that its price is for; else our count. */
export function countSpeech(run: SpeechRun, opened: Opened, source: SpeechSource, sound: Buffer): SpeechCount {
  const { price } = opened.candidate;
  const reported = source.units();
  const byCharacter = billsCharacters(price);
  if (reported !== null && (price === null || (reported.character !== undefined) === byCharacter)) {
    return { units: reported, estimated: false };
  }
  // Who bills the characters of the text and answers with a file alone leaves nothing to be guessed.
  const exact = byCharacter && source.bare;
  return { units: ownCount(run, price, soundSeconds(sound, run.ruled.format)), estimated: !exact };
}

/** Hands a whole sound to the library. */
export function keepSpeech(keepMedia: KeepMedia, run: SpeechRun, opened: Opened, sound: Buffer, units: Units): void {
  const { ruled, call } = run;
  const { model: _model, input: _input, ...parameters } = ruled.body;
  // Samples alone would be nothing that could be played later.
  const bytes = ruled.format === "pcm" ? Buffer.concat([wavHeader(sound.length, SPEECH_PCM), sound]) : sound;
  const saved = keepMedia(
    { kind: "bytes", bytes },
    {
      ...callOrigin(call, opened, units),
      prompt: ruled.text,
      parameters: { ...parameters, voice: ruled.voice, response_format: ruled.format },
      seed: null,
    },
  );
  call.input.follower?.kept(saved);
}
