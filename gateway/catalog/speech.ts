import type { ModelSpec } from "../core/models/model.ts";
import type { SpeechRules } from "../core/speech/speech-rules.ts";
import { entries, usdPerMillion } from "./entry.ts";
import { DASHSCOPE_SPEECH, GENAI_PRICES, OPENAI_SPEECH } from "./sources.ts";
import { COMMON_VOICES, QWEN_INSTRUCT_VOICES, QWEN_VOICES } from "./speech-voices.ts";

/** Speech models: OpenAI's, and the specification's gamma3 (Qwen3-TTS) family. */

const SPEECH = { context: null, output: null, capabilities: ["speech"] } as const;

/**
 * OpenAI's voices, formats and bounds (docs/providers/openai.md#speech). It wants a voice; `alloy` is its documents'
 * first.
 */
const OPENAI: SpeechRules = {
  voices: COMMON_VOICES,
  defaultVoice: "alloy",
  replacedVoices: [],
  customVoices: true,
  formats: ["mp3", "opus", "aac", "flac", "wav", "pcm"],
  maxCharacters: 4_096,
  // tts-1 passes over them in silence; that is for the provider to say.
  instructions: true,
  speed: { least: 0.25, most: 4 },
  events: false,
  ideographCounts: 1,
};

/**
 * docs/specification.md#post-v1audiospeech; the provider's bounds and its way of counting:
 * docs/providers/dashscope.md#speech.
 */
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

export const speechModels: readonly ModelSpec[] = [
  ...entries("openai", [
    {
      id: "tts-1",
      speech: OPENAI,
      name: "TTS-1",
      released: "2023-11-06",
      ...SPEECH,
      price: usdPerMillion(OPENAI_SPEECH, { character: 15 }),
    },
    {
      id: "tts-1-hd",
      speech: OPENAI,
      name: "TTS-1 HD",
      released: "2023-11-06",
      ...SPEECH,
      price: usdPerMillion(OPENAI_SPEECH, { character: 30 }),
    },
    // Billed by audio tokens, which only its streams of events tell.
    {
      id: "gpt-4o-mini-tts",
      speech: { ...OPENAI, events: true },
      name: "GPT-4o mini TTS",
      released: "2025-03-20",
      ...SPEECH,
      price: usdPerMillion(GENAI_PRICES, { input: 0.6, audio_output: 12 }),
    },
  ]),
  ...entries("dashscope", [
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
  ]),
];
