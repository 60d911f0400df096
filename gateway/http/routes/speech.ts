import type { SynthesizeSpeech } from "../../services/speech/synthesize-speech.ts";
import { callInput, recipient } from "../call-input.ts";
import type { Context } from "../state.ts";

/** `POST /v1/audio/speech`. The story is in services/speech/synthesize-speech.ts; here it only meets HTTP. */
export function speechRoute(synthesizeSpeech: SynthesizeSpeech) {
  return async function audioSpeech(context: Context): Promise<void> {
    await synthesizeSpeech.run({ ...callInput(context), body: context.state.body }, recipient(context));
    context.respond = false;
  };
}
