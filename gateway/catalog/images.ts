import type { ImageRules } from "../core/images/image-rules.ts";
import type { ModelSpec, Price } from "../core/models/model.ts";
import { entries, usdPerMillion } from "./entry.ts";
import type { UsdRates } from "./entry.ts";
import { geminiEdits } from "../providers/gemini/edit-rules.ts";
import { grokEdits } from "../providers/xai/edit-rules.ts";
import { deltaEdits, deltaMiniEdits, epsilonEdits } from "./image-edits.ts";
import { GENAI_PRICES, LITELLM } from "./sources.ts";

/**
 * Image models by family: delta (gpt-image) and epsilon (dall-e), gamma (Qwen Image), Gemini's, Seedream, Grok Imagine.
 * Text, image and output tokens of images have their own rates (docs/providers/openai.md#prices). No official USD price
 * of the gamma and Seedream families was found: unpriced.
 */

const IMAGE = { context: null, output: null, capabilities: ["image", "image_edit"] } as const;
const ONLY_MAKES = { context: null, output: null, capabilities: ["image"] } as const;
const price = (rates: UsdRates) => usdPerMillion(GENAI_PRICES, rates);

const NO_REFERENCES = { least: 0, most: 0 };

/** gpt-image (docs/providers/openai.md#images). */
const DELTA: ImageRules = {
  family: "delta",
  sizes: { kind: "list", values: ["auto", "1024x1024", "1536x1024", "1024x1536"] },
  defaultSize: null,
  most: 10,
  qualities: ["auto", "low", "medium", "high"],
  promptLimit: 32_000,
  references: NO_REFERENCES,
  streams: true,
};
/** docs/specification.md#limits: "multiples of 16, at most 3840 px, long to short ratio at most 3:1". */
const DELTA_FREE: ImageRules = { ...DELTA, sizes: { kind: "free", step: 16, longest: 3_840, ratio: 3 } };
const EPSILON_2: ImageRules = {
  ...DELTA,
  family: "epsilon",
  sizes: { kind: "list", values: ["256x256", "512x512", "1024x1024"] },
  qualities: [],
  promptLimit: 1_000,
  streams: false,
};
const EPSILON_3: ImageRules = {
  ...EPSILON_2,
  sizes: { kind: "list", values: ["1024x1024", "1792x1024", "1024x1792"] },
  most: 1,
  qualities: ["standard", "hd"],
  promptLimit: 4_000,
};

/** The specification's sizes of the gamma family, every one of which each of its models takes. */
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
/** What qwen-image-max makes. */
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
  references: NO_REFERENCES,
};
const GAMMA_EDIT: ImageRules = { ...GAMMA, references: { least: 1, most: 3 } };
/** qwen-image-edit keeps to the picture that it is given. */
const GAMMA_EDIT_FIXED: ImageRules = { ...GAMMA_EDIT, sizes: { kind: "fixed", values: TAKEN_SIZES } };

/** Gemini (docs/providers/gemini.md#images): its shapes and sizes are its own; one image a call. */
const GEMINI: ImageRules = {
  family: "gemini",
  sizes: { kind: "any" },
  defaultSize: null,
  most: 1,
  qualities: [],
  promptLimit: null,
  references: { least: 0, most: Number.MAX_SAFE_INTEGER },
  streams: false,
};

/**
 * Seedream (docs/providers/ark.md#images). The least size of 4.0 is a guess, that of 3.0 unknown: left to the provider.
 */
const SEEDREAM_4: ImageRules = {
  family: "seedream",
  sizes: { kind: "pixels", words: ["1K", "2K", "3K", "4K"], least: 1, most: 16_777_216, ratio: 16 },
  defaultSize: null,
  most: 15,
  qualities: [],
  promptLimit: null,
  references: { least: 0, most: 14 },
  streams: true,
};
const SEEDREAM_4_5: ImageRules = {
  ...SEEDREAM_4,
  sizes: { kind: "pixels", words: ["1K", "2K", "3K", "4K"], least: 3_686_400, most: 16_777_216, ratio: 16 },
};
const SEEDREAM_3: ImageRules = { ...SEEDREAM_4, sizes: { kind: "any" }, references: NO_REFERENCES };

const GROK: ImageRules = {
  family: "grok",
  sizes: { kind: "any" },
  defaultSize: null,
  most: 10,
  qualities: ["low", "medium", "high"],
  promptLimit: null,
  references: NO_REFERENCES,
  streams: false,
};

const gamma = (id: string, upstreamId: string, name: string, released: string, rules: ImageRules) =>
  ({ id, upstreamId, name, released, ...ONLY_MAKES, image: rules, price: null }) as const;
const seedream = (id: string, name: string, released: string, rules: ImageRules, aliases: readonly string[] = []) =>
  ({ id, name, released, ...ONLY_MAKES, image: rules, aliases, price: null }) as const;

/** USD of one image by what was asked for, the usual first (docs/providers/openai.md#prices). */
function perImage(
  usual: number,
  variants: readonly (readonly [when: Readonly<Record<string, string>>, usd: number])[],
): Price {
  const rates = (usd: number): UsdRates => usdPerMillion(LITELLM, { image: usd * 1_000_000 }).tiers[0]?.rates ?? {};
  return {
    ...usdPerMillion(LITELLM, { image: usual * 1_000_000 }),
    variants: variants.map(([when, usd]) => ({ when, rates: rates(usd) })),
  };
}

export const imageModels: readonly ModelSpec[] = [
  ...entries("openai", [
    {
      id: "delta-image-2",
      upstreamId: "gpt-image-2",
      name: "Delta Image 2",
      released: "2026-04-21",
      ...IMAGE,
      image: DELTA_FREE,
      edit: deltaEdits,
      price: usdPerMillion(LITELLM, { input: 5, cached_input: 1.25, output: 10, image_input: 8, image_output: 30 }),
    },
    {
      id: "delta-image-1.5",
      upstreamId: "gpt-image-1.5",
      name: "Delta Image 1.5",
      released: "2025-12-16",
      ...IMAGE,
      image: DELTA,
      edit: deltaEdits,
      price: usdPerMillion(LITELLM, { input: 5, cached_input: 1.25, output: 10, image_input: 8, image_output: 32 }),
    },
    // This one and the next make nothing but images: all of their output has the one rate
    // (https://developers.openai.com/api/docs/models/gpt-image-1).
    {
      id: "delta-image-1",
      upstreamId: "gpt-image-1",
      name: "Delta Image 1",
      released: "2025-04-23",
      ...IMAGE,
      image: DELTA,
      edit: deltaEdits,
      price: usdPerMillion(LITELLM, { input: 5, cached_input: 1.25, output: 40, image_input: 10, image_output: 40 }),
    },
    {
      id: "gpt-image-1-mini",
      name: "GPT Image 1 mini",
      released: "2025-10-06",
      ...IMAGE,
      image: DELTA,
      edit: deltaMiniEdits,
      price: usdPerMillion(LITELLM, { input: 2, cached_input: 0.2, output: 8, image_input: 2.5, image_output: 8 }),
    },
    {
      id: "epsilon-2",
      upstreamId: "dall-e-2",
      name: "Epsilon 2",
      released: "2022-11-03",
      ...IMAGE,
      image: EPSILON_2,
      edit: epsilonEdits,
      price: perImage(0.02, [
        [{ size: "512x512" }, 0.018],
        [{ size: "256x256" }, 0.016],
      ]),
    },
    {
      id: "epsilon-3",
      upstreamId: "dall-e-3",
      name: "Epsilon 3",
      released: "2023-11-06",
      ...ONLY_MAKES,
      image: EPSILON_3,
      price: perImage(0.04, [
        [{ size: "1792x1024", quality: "hd" }, 0.12],
        [{ size: "1024x1792", quality: "hd" }, 0.12],
        [{ size: "1792x1024" }, 0.08],
        [{ size: "1024x1792" }, 0.08],
        [{ quality: "hd" }, 0.08],
      ]),
    },
  ]),
  ...entries("dashscope", [
    gamma("gamma-image-2.0", "qwen-image-2.0", "Gamma Image 2.0", "2026-02-10", GAMMA),
    gamma("gamma-image-2.0-pro", "qwen-image-2.0-pro", "Gamma Image 2.0 Pro", "2026-02-10", GAMMA),
    gamma("gamma-image-max", "qwen-image-max", "Gamma Image Max", "2025-12-31", GAMMA_MAX),
    gamma("gamma-image-edit", "qwen-image-edit", "Gamma Image Edit", "2025-08-19", GAMMA_EDIT_FIXED),
    gamma("gamma-image-edit-plus", "qwen-image-edit-plus", "Gamma Image Edit Plus", "2025-09-22", GAMMA_EDIT),
    gamma("gamma-image-edit-max", "qwen-image-edit-max", "Gamma Image Edit Max", "2025-12-31", GAMMA_EDIT),
  ]),
  ...entries("google", [
    {
      id: "gemini-2.5-flash-image",
      name: "Gemini 2.5 Flash Image",
      released: "2025-10-02",
      ...IMAGE,
      image: GEMINI,
      edit: geminiEdits,
      price: price({ input: 0.3, output: 2.5, image_output: 30 }),
    },
    {
      id: "gemini-3-pro-image",
      name: "Gemini 3 Pro Image",
      released: "2025-11-20",
      ...IMAGE,
      image: GEMINI,
      edit: geminiEdits,
      aliases: ["gemini-3-pro-image-preview"],
      price: price({ input: 2, output: 12, image_output: 120 }),
    },
    {
      id: "gemini-3.1-flash-image",
      name: "Gemini 3.1 Flash Image",
      released: "2026-02-26",
      ...IMAGE,
      image: GEMINI,
      edit: geminiEdits,
      aliases: ["gemini-3.1-flash-image-preview"],
      price: price({ input: 0.5, output: 3, image_output: 60 }),
    },
  ]),
  ...entries("ark", [
    seedream("doubao-seedream-5-0-260128", "Seedream 5.0", "2026-01-28", SEEDREAM_4_5, ["seedream-5-0-260128"]),
    seedream("doubao-seedream-4-5-251128", "Seedream 4.5", "2025-11-28", SEEDREAM_4_5, ["seedream-4-5-251128"]),
    seedream("doubao-seedream-4-0-250828", "Seedream 4.0", "2025-08-28", SEEDREAM_4, ["seedream-4-0-250828"]),
    seedream("doubao-seedream-3-0-t2i-250415", "Seedream 3.0", "2025-04-15", SEEDREAM_3),
  ]),
  ...entries("xai", [
    // Priced by resolution and quality, "from" $0.02 an image and $0.05 a second.
    {
      id: "grok-imagine-image",
      name: "Grok Imagine Image",
      released: "2026-01-28",
      ...IMAGE,
      image: GROK,
      edit: grokEdits,
      price: null,
    },
  ]),
];
