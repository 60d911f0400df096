import { listEntries, usdPerMillion } from "../../core/models/catalog-entry.ts";
import type { PriceSource, Entry } from "../../core/models/catalog-entry.ts";
import { getUsdPerImage } from "../../core/models/media-prices.ts";
import { LITELLM_NOVEMBER } from "../../core/models/price-sources.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { chatModels } from "./chat-models.ts";
import { videoModels } from "./video-models.ts";
import type { ImageRules } from "../../core/images/image-rules.ts";
import { COMMON_VOICES } from "../../core/speech/speech-rules.ts";
import type { SpeechRules } from "../../core/speech/speech-rules.ts";
import { QWEN_INSTRUCT_VOICES, QWEN_VOICES } from "./voices.ts";

/** The international region. */
const DASHSCOPE_SPEECH: PriceSource = {
  source: "alibabacloud.com Model Studio price list",
  as_of: "2026-08-06",
};

const SPEECH = { context: null, output: null, capabilities: ["speech"] } as const;

/** The specification's table, with the provider's limits and counting (docs/providers/dashscope.md#speech). */
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
const speechModels: readonly Entry[] = [
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

/** Sizes of the gamma family by the specification, supported by all of its models. */
const GAMMA_SIZES = [
  "1024*1024",
  "1664*928",
  "1472*1140",
  "1328*1328",
  "1140*1472",
  "928*1664",
  "1280*720",
  "720*1280",
] as const;
/** Two of them as Qwen Image has them. */
const OWN_SIZES = ["1472*1104", "1104*1472"] as const;
/** Sizes of qwen-image-max. */
const FIVE_SIZES = ["1664*928", "1328*1328", "928*1664", ...OWN_SIZES] as const;
const TAKEN_SIZES = [...GAMMA_SIZES, ...OWN_SIZES];

const GAMMA: ImageRules = {
  family: "gamma",
  sizes: {
    kind: "list",
    values: TAKEN_SIZES,
    made: ["1024*1024", "1280*720", "720*1280", ...FIVE_SIZES],
  },
  defaultSize: "1024*1024",
  most: 1,
  qualities: [],
  promptLimit: null,
  references: { least: 0, most: 3 },
  streams: false,
};
const GAMMA_MAX: ImageRules = {
  ...GAMMA,
  sizes: { kind: "list", values: TAKEN_SIZES, made: FIVE_SIZES },
  references: { least: 0, most: 0 },
};
const GAMMA_EDIT: ImageRules = { ...GAMMA, references: { least: 1, most: 3 } };
/** qwen-image-edit keeps the size of its input picture. */
const GAMMA_EDIT_FIXED: ImageRules = { ...GAMMA_EDIT, sizes: { kind: "fixed", values: TAKEN_SIZES } };

const gamma = (id: string, upstreamId: string, name: string, released: string, rules: ImageRules, usd?: number) =>
  ({
    id,
    upstreamId,
    name,
    released,
    context: null,
    output: null,
    capabilities: ["image"],
    image: rules,
    price: usd === undefined ? null : getUsdPerImage(LITELLM_NOVEMBER, usd, []),
  }) as const;

/** Qwen Image, unpriced without a known USD price. */
const imageModels: readonly Entry[] = [
  gamma("gamma-image-3.0", "qwen-image-3.0", "Gamma Image 3.0", "2026-08-05", GAMMA, 0.03),
  gamma("gamma-image-3.0-pro", "qwen-image-3.0-pro", "Gamma Image 3.0 Pro", "2026-08-05", GAMMA),
  gamma("gamma-image-2.0", "qwen-image-2.0", "Gamma Image 2.0", "2026-02-10", GAMMA, 0.035),
  gamma("gamma-image-2.0-pro", "qwen-image-2.0-pro", "Gamma Image 2.0 Pro", "2026-02-10", GAMMA, 0.075),
  gamma("gamma-image-max", "qwen-image-max", "Gamma Image Max", "2025-12-31", GAMMA_MAX),
  gamma("gamma-image-edit", "qwen-image-edit", "Gamma Image Edit", "2025-08-19", GAMMA_EDIT_FIXED),
  gamma("gamma-image-edit-plus", "qwen-image-edit-plus", "Gamma Image Edit Plus", "2025-09-22", GAMMA_EDIT),
  gamma("gamma-image-edit-max", "qwen-image-edit-max", "Gamma Image Edit Max", "2025-12-31", GAMMA_EDIT),
];

/** Price from a reseller of the Singapore region; it equals the provider's list price. */
const DASHSCOPE_EMBEDDING: PriceSource = {
  source: "empiriolabs, reseller of the Singapore region",
  as_of: "2026-08-06",
};

export const catalog: readonly ModelSpec[] = listEntries("dashscope", [
  ...chatModels,
  {
    id: "text-embedding-v4",
    name: "Text Embedding v4",
    released: "2025-06-05",
    context: 8_192,
    output: null,
    capabilities: ["embedding"],
    embedding: { dimensions: { oneOf: [2_048, 1_536, 1_024, 768, 512, 256, 128, 64] }, standard: 1_024 },
    price: usdPerMillion(DASHSCOPE_EMBEDDING, { input: 0.07 }),
  },
  ...speechModels,
  ...imageModels,
  ...videoModels,
]);
