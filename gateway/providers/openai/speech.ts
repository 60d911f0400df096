import { speech as compatible } from "../openai-compatible/speech.ts";
import type { SpeechAdapter } from "../speech.ts";

/** `/audio/speech` (upstreams reference 1.4): the common dialect is OpenAI's own. */
export const speech: SpeechAdapter = compatible;
