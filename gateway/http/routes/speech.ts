import type { SynthesizeSpeech } from "../../services/speech/synthesize-speech.ts";
import { callInput, takeOver } from "../call-input.ts";
import { HttpReply } from "../http-reply.ts";
import type { Context } from "../state.ts";

/** `POST /v1/audio/speech`. The story is in services/speech/synthesize-speech.ts; here it only meets HTTP. */
export function speechRoute(synthesizeSpeech: SynthesizeSpeech) {
  return async function audioSpeech(context: Context): Promise<void> {
    const { state, res } = context;
    await synthesizeSpeech.run({ ...callInput(context), body: state.body }, new HttpReply(res), takeOver(context));
  };
}
