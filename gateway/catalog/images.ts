import type { ModelSpec } from "../core/model.ts";
import { entries, usdPerMillion } from "./entry.ts";
import type { UsdRates } from "./entry.ts";
import { GENAI_PRICES, LITELLM } from "./sources.ts";

/**
 * Image models by family: delta (gpt-image) and epsilon (dall-e), gamma (Qwen Image), Gemini's, Seedream, Grok Imagine.
 * Text, image and output tokens of images have their own rates (upstreams reference 11.4). No official USD price of the
 * gamma and Seedream families was found: unpriced.
 */

const IMAGE = { context: null, output: null, capabilities: ["image", "image_edit"] } as const;
const price = (rates: UsdRates) => usdPerMillion(GENAI_PRICES, rates);
const image = (id: string, upstreamId: string, name: string, released: string) =>
  ({ id, upstreamId, name, released, context: null, output: null, capabilities: ["image"], price: null }) as const;
const seedream = (id: string, name: string, released: string, aliases: readonly string[] = []) =>
  ({ id, name, released, context: null, output: null, capabilities: ["image"], aliases, price: null }) as const;

export const imageModels: readonly ModelSpec[] = [
  ...entries("openai", [
    {
      id: "delta-image-2",
      upstreamId: "gpt-image-2",
      name: "Delta Image 2",
      released: "2026-04-21",
      ...IMAGE,
      price: usdPerMillion(LITELLM, { input: 5, cached_input: 1.25, output: 10, image_input: 8, image_output: 30 }),
    },
    {
      id: "delta-image-1.5",
      upstreamId: "gpt-image-1.5",
      name: "Delta Image 1.5",
      released: "2025-12-16",
      ...IMAGE,
      price: usdPerMillion(LITELLM, { input: 5, cached_input: 1.25, output: 10, image_input: 8, image_output: 32 }),
    },
    {
      id: "delta-image-1",
      upstreamId: "gpt-image-1",
      name: "Delta Image 1",
      released: "2025-04-23",
      ...IMAGE,
      price: usdPerMillion(LITELLM, { input: 5, cached_input: 1.25, image_input: 10, image_output: 40 }),
    },
    {
      id: "gpt-image-1-mini",
      name: "GPT Image 1 mini",
      released: "2025-10-06",
      ...IMAGE,
      price: usdPerMillion(LITELLM, { input: 2, cached_input: 0.2, image_input: 2.5, image_output: 8 }),
    },
    // $0.016 to $0.12 an image by size and quality, which a single rate cannot say.
    { id: "epsilon-2", upstreamId: "dall-e-2", name: "Epsilon 2", released: "2022-11-03", ...IMAGE, price: null },
    {
      id: "epsilon-3",
      upstreamId: "dall-e-3",
      name: "Epsilon 3",
      released: "2023-11-06",
      context: null,
      output: null,
      capabilities: ["image"],
      price: null,
    },
  ]),
  ...entries("dashscope", [
    image("gamma-image-2.0", "qwen-image-2.0", "Gamma Image 2.0", "2026-02-10"),
    image("gamma-image-2.0-pro", "qwen-image-2.0-pro", "Gamma Image 2.0 Pro", "2026-02-10"),
    image("gamma-image-max", "qwen-image-max", "Gamma Image Max", "2025-12-31"),
    image("gamma-image-edit", "qwen-image-edit", "Gamma Image Edit", "2025-08-19"),
    image("gamma-image-edit-plus", "qwen-image-edit-plus", "Gamma Image Edit Plus", "2025-09-22"),
    image("gamma-image-edit-max", "qwen-image-edit-max", "Gamma Image Edit Max", "2025-12-31"),
  ]),
  ...entries("google", [
    {
      id: "gemini-2.5-flash-image",
      name: "Gemini 2.5 Flash Image",
      released: "2025-10-02",
      ...IMAGE,
      price: price({ input: 0.3, output: 2.5, image_output: 30 }),
    },
    {
      id: "gemini-3-pro-image",
      name: "Gemini 3 Pro Image",
      released: "2025-11-20",
      ...IMAGE,
      aliases: ["gemini-3-pro-image-preview"],
      price: price({ input: 2, output: 12, image_output: 120 }),
    },
    {
      id: "gemini-3.1-flash-image",
      name: "Gemini 3.1 Flash Image",
      released: "2026-02-26",
      ...IMAGE,
      aliases: ["gemini-3.1-flash-image-preview"],
      price: price({ input: 0.5, output: 3, image_output: 60 }),
    },
  ]),
  ...entries("ark", [
    seedream("doubao-seedream-5-0-260128", "Seedream 5.0", "2026-01-28", ["seedream-5-0-260128"]),
    seedream("doubao-seedream-4-5-251128", "Seedream 4.5", "2025-11-28", ["seedream-4-5-251128"]),
    seedream("doubao-seedream-4-0-250828", "Seedream 4.0", "2025-08-28", ["seedream-4-0-250828"]),
    seedream("doubao-seedream-3-0-t2i-250415", "Seedream 3.0", "2025-04-15"),
  ]),
  ...entries("xai", [
    // Priced by resolution and quality, "from" $0.02 an image and $0.05 a second.
    {
      id: "grok-imagine-image",
      name: "Grok Imagine Image",
      released: "2026-01-28",
      context: null,
      output: null,
      capabilities: ["image", "image_edit"],
      price: null,
    },
  ]),
];
