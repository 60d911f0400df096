import { usdPerMillion } from "../../core/models/catalog-entry.ts";
import type { Entry, PriceSource } from "../../core/models/catalog-entry.ts";
import { COMMON_VOICES } from "../../core/speech/common-voices.ts";
import type { SpeechRules } from "../../core/speech/speech-rules.ts";
import { QWEN_INSTRUCT_VOICES, QWEN_VOICES } from "./voices.ts";

/** The international region. */
const DASHSCOPE_SPEECH: PriceSource = {
  source: "alibabacloud.com Model Studio price list",
  as_of: "2026-08-06",
};

const SPEECH = { context: null, output: null, capabilities: ["speech"] } as const;

/** The specification's table; the provider's bounds and its way of counting (docs/providers/dashscope.md#speech). */
const QWEN: SpeechRules = {
  voices: QWEN_VOICES,
  defaultVoice: "Cherry",
  replacedVoices: COMMON_VOICES,
  customVoices: false,
  formats: ["mp3", "wav"],
  maxCharacters: 600,
  instructions: false,
  speed: null,
  events: false,
  ideographCounts: 2,
};

/** The specification's gamma3 family: Qwen3-TTS. */
export const speechModels: readonly Entry[] = [
  {
    id: "gamma3-tts-flash",
    speech: QWEN,
    upstreamId: "qwen3-tts-flash",
    name: "Gamma 3 TTS Flash",
    released: "2025-09-23",
    ...SPEECH,
    price: usdPerMillion(DASHSCOPE_SPEECH, { character: 10 }),
  },
  {
    id: "gamma3-tts-instruct-flash",
    speech: { ...QWEN, voices: QWEN_INSTRUCT_VOICES, fixedFormat: "wav", instructions: true },
    upstreamId: "qwen3-tts-instruct-flash",
    name: "Gamma 3 TTS Instruct Flash",
    released: "2026-01-22",
    ...SPEECH,
    price: usdPerMillion(DASHSCOPE_SPEECH, { character: 11.5 }),
  },
];
