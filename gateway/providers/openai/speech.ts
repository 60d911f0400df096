import { speech as compatible } from "../openai-compatible/speech.ts";
import type { SpeechAdapter } from "../speech.ts";

/** `/audio/speech` (docs/providers/openai.md#speech): the common dialect is OpenAI's own. */
export const speech: SpeechAdapter = compatible;
