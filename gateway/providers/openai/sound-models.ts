import { usdPerMillion } from "../../core/models/catalog-entry.ts";
import type { Entry, PriceSource } from "../../core/models/catalog-entry.ts";
import { getUsdPerHour } from "../../core/models/media-prices.ts";
import { GENAI_PRICES_SOUND } from "../../core/models/price-sources.ts";
import type { TranscriptionRules } from "../../core/transcription/transcription-rules.ts";

/**
 * OpenAI's transcription and moderation models (docs/providers/openai.md#transcriptions). All but gpt-transcribe will
 * be shut down on 2027-02-26, and `/audio/translations` with them (https://developers.openai.com/api/docs/deprecations,
 * read 2026-11-24).
 */

const MIB = 1024 * 1024;

/** "Files can be up to 25 MB" (https://developers.openai.com/api/docs/guides/speech-to-text, read 2026-11-24). */
const most = 25 * MIB;

const TRANSCRIPTION = { context: null, output: null, capabilities: ["transcription"] } as const;

/** Text without times. That gpt-transcribe has no more formats than its predecessors is a guess. */
const PLAIN: TranscriptionRules = { formats: ["json"], most, prompt: true, logprobs: false };

/** https://developers.openai.com/api/docs/models/whisper-1, read 2026-11-24. */
const WHISPER: PriceSource = { source: "developers.openai.com/api/docs/models/whisper-1", as_of: "2026-11-24" };

/** https://developers.openai.com/api/docs/models/omni-moderation-latest, read 2026-11-24: "free models". */
const MODERATION: PriceSource = {
  source: "developers.openai.com/api/docs/models/omni-moderation-latest",
  as_of: "2026-11-24",
};
const FREE = usdPerMillion(MODERATION, { request: 0 });

/**
 * OpenAI's pages give two rates for sound: the model's page one for all tokens, its list of prices a more expensive one for those
 * of sound, by which a minute comes to the price that OpenAI estimates. The more expensive one is taken.
 */
const perToken = (text: number, sound: number, output: number) =>
  usdPerMillion(GENAI_PRICES_SOUND, { input: text, audio_input: sound, output });

export const soundModels: readonly Entry[] = [
  {
    id: "gpt-transcribe",
    name: "GPT Transcribe",
    // The day of the notice that names it as the successor; its own is not known here.
    released: "2026-08-26",
    ...TRANSCRIPTION,
    transcription: PLAIN,
    price: getUsdPerHour(GENAI_PRICES_SOUND, 0.27),
  },
  {
    id: "gpt-4o-transcribe",
    name: "GPT-4o Transcribe",
    released: "2025-03-20",
    ...TRANSCRIPTION,
    transcription: { ...PLAIN, logprobs: true },
    price: perToken(2.5, 6, 10),
  },
  {
    id: "gpt-4o-mini-transcribe",
    name: "GPT-4o mini Transcribe",
    released: "2025-03-20",
    ...TRANSCRIPTION,
    transcription: { ...PLAIN, logprobs: true },
    price: perToken(1.25, 3, 5),
  },
  {
    id: "gpt-4o-transcribe-diarize",
    name: "GPT-4o Transcribe with speakers",
    released: "2025-10-15",
    ...TRANSCRIPTION,
    transcription: { ...PLAIN, formats: ["json", "diarized_json"], prompt: false },
    price: perToken(2.5, 6, 10),
  },
  {
    id: "whisper-1",
    name: "Whisper",
    released: "2023-03-01",
    ...TRANSCRIPTION,
    capabilities: ["transcription", "translation"],
    transcription: { ...PLAIN, formats: ["json", "verbose_json"] },
    price: getUsdPerHour(WHISPER, 0.36),
  },
  {
    id: "omni-moderation-latest",
    name: "Omni Moderation",
    released: "2024-09-26",
    context: null,
    output: null,
    capabilities: ["moderation"],
    aliases: ["omni-moderation-2024-09-26"],
    price: FREE,
  },
  {
    id: "text-moderation-latest",
    name: "Text Moderation",
    released: "2023-11-06",
    context: null,
    output: null,
    capabilities: ["moderation"],
    aliases: ["text-moderation-stable"],
    // https://github.com/spring-projects/spring-ai/issues/4709, read 2026-11-24.
    retired: { on: "2025-10-27", successor: "omni-moderation-latest" },
    price: FREE,
  },
];
