import type { ImageRules } from "../../core/images/image-rules.ts";
import { usdPerMillion } from "../../core/models/catalog-entry.ts";
import type { Entry } from "../../core/models/catalog-entry.ts";
import { getUsdPerImage } from "../../core/models/media-prices.ts";
import { LITELLM, LITELLM_NOVEMBER } from "../../core/models/price-sources.ts";
import type { EditRules } from "../../core/edits/edit-rules.ts";

/** Rules of models on `/v1/images/edits` (specification, edits; docs/providers/openai.md#image-edits). */

const MIB = 1024 * 1024;

/** gpt-image: up to 16 images below 50 MB; always answers base64, and refuses `response_format`. */
export const deltaEdits: EditRules = {
  sizes: ["1024x1024", "1024x1536", "1536x1024"],
  qualities: ["auto", "low", "medium", "high"],
  images: 16,
  imageBytes: 50 * MIB,
  squarePng: false,
  mask: true,
  n: 10,
  prompt: 32_000,
  response: "base64",
  output: true,
  fidelity: true,
  stream: true,
};

/** `input_fidelity`: "not on mini". */
export const deltaMiniEdits: EditRules = { ...deltaEdits, fidelity: false };

/** dall-e-2: one square PNG below 4 MB, prompts of 1,000 characters, no say in how the file is written. */
export const epsilonEdits: EditRules = {
  sizes: ["256x256", "512x512", "1024x1024"],
  qualities: [],
  images: 1,
  imageBytes: 4 * MIB,
  squarePng: true,
  mask: true,
  n: 10,
  prompt: 1_000,
  response: "choice",
  output: false,
  fidelity: false,
  stream: false,
};

/**
 * delta (gpt-image) and epsilon (dall-e). Text, image and output tokens of images have their own rates
 * (docs/providers/openai.md#prices).
 */

const IMAGE = { context: null, output: null, capabilities: ["image", "image_edit"] } as const;
const ONLY_MAKES = { context: null, output: null, capabilities: ["image"] } as const;

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
/** Limits of the specification: "multiples of 16, at most 3840 px, long to short ratio at most 3:1". */
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

const PRICE = { input: 5, cached_input: 1.25, output: 10, image_input: 8, image_output: 30 } as const;

/** The successors of the models that end on 1 December 2026 (https://developers.openai.com/api/docs/deprecations). */
const buildSuccessor = (id: string, name: string, released: string): Entry => ({
  id,
  name,
  released,
  ...IMAGE,
  image: DELTA_FREE,
  edit: deltaEdits,
  price: usdPerMillion(LITELLM_NOVEMBER, PRICE),
});

export const imageModels: readonly Entry[] = [
  buildSuccessor("gpt-image-2.6-sunburst", "GPT Image 2.6 Sunburst", "2026-11-17"),
  buildSuccessor("gpt-image-2.6-flare", "GPT Image 2.6 Flare", "2026-11-17"),
  buildSuccessor("gpt-image-2.5-sunburst", "GPT Image 2.5 Sunburst", "2026-09-08"),
  buildSuccessor("gpt-image-2.5-flare", "GPT Image 2.5 Flare", "2026-09-08"),
  {
    id: "delta-image-2",
    upstreamId: "gpt-image-2",
    name: "Delta Image 2",
    released: "2026-04-21",
    ...IMAGE,
    image: DELTA_FREE,
    edit: deltaEdits,
    price: usdPerMillion(LITELLM, PRICE),
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
  // This model and the next only make images, so all output has one rate
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
    price: getUsdPerImage(LITELLM, 0.02, [
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
    price: getUsdPerImage(LITELLM, 0.04, [
      [{ size: "1792x1024", quality: "hd" }, 0.12],
      [{ size: "1024x1792", quality: "hd" }, 0.12],
      [{ size: "1792x1024" }, 0.08],
      [{ size: "1024x1792" }, 0.08],
      [{ quality: "hd" }, 0.08],
    ]),
  },
];
