import type { ModelSpec } from "../core/model.ts";
import { entries, usdPerMillion } from "./entry.ts";
import { DASHSCOPE_SPEECH, GENAI_PRICES, OPENAI_SPEECH } from "./sources.ts";

/** Speech models: OpenAI's, and the specification's gamma3 (Qwen3-TTS) family. */

const SPEECH = { context: null, output: null, capabilities: ["speech"] } as const;

export const speechModels: readonly ModelSpec[] = [
  ...entries("openai", [
    {
      id: "tts-1",
      name: "TTS-1",
      released: "2023-11-06",
      ...SPEECH,
      price: usdPerMillion(OPENAI_SPEECH, { character: 15 }),
    },
    {
      id: "tts-1-hd",
      name: "TTS-1 HD",
      released: "2023-11-06",
      ...SPEECH,
      price: usdPerMillion(OPENAI_SPEECH, { character: 30 }),
    },
    // Billed by audio tokens, of which its answer says nothing: $0.6 and $12 per million.
    {
      id: "gpt-4o-mini-tts",
      name: "GPT-4o mini TTS",
      released: "2025-03-20",
      ...SPEECH,
      price: usdPerMillion(GENAI_PRICES, { input: 0.6, output: 12 }),
    },
  ]),
  ...entries("dashscope", [
    {
      id: "gamma3-tts-flash",
      upstreamId: "qwen3-tts-flash",
      name: "Gamma 3 TTS Flash",
      released: "2025-09-23",
      context: null,
      output: null,
      capabilities: ["speech"],
      price: usdPerMillion(DASHSCOPE_SPEECH, { character: 10 }),
    },
    {
      id: "gamma3-tts-instruct-flash",
      upstreamId: "qwen3-tts-instruct-flash",
      name: "Gamma 3 TTS Instruct Flash",
      released: "2026-01-22",
      context: null,
      output: null,
      capabilities: ["speech"],
      price: usdPerMillion(DASHSCOPE_SPEECH, { character: 11.5 }),
    },
  ]),
];
