import type { ImageRules } from "../../core/images/image-rules.ts";
import type { Entry } from "../../core/models/catalog-entry.ts";

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
  references: { least: 0, most: 0 },
};
const GAMMA_EDIT: ImageRules = { ...GAMMA, references: { least: 1, most: 3 } };
/** qwen-image-edit keeps to the picture that it is given. */
const GAMMA_EDIT_FIXED: ImageRules = { ...GAMMA_EDIT, sizes: { kind: "fixed", values: TAKEN_SIZES } };

const gamma = (id: string, upstreamId: string, name: string, released: string, rules: ImageRules) =>
  ({
    id,
    upstreamId,
    name,
    released,
    context: null,
    output: null,
    capabilities: ["image"],
    image: rules,
    price: null,
  }) as const;

/** Qwen Image. No official USD price was found: unpriced. */
export const imageModels: readonly Entry[] = [
  gamma("gamma-image-2.0", "qwen-image-2.0", "Gamma Image 2.0", "2026-02-10", GAMMA),
  gamma("gamma-image-2.0-pro", "qwen-image-2.0-pro", "Gamma Image 2.0 Pro", "2026-02-10", GAMMA),
  gamma("gamma-image-max", "qwen-image-max", "Gamma Image Max", "2025-12-31", GAMMA_MAX),
  gamma("gamma-image-edit", "qwen-image-edit", "Gamma Image Edit", "2025-08-19", GAMMA_EDIT_FIXED),
  gamma("gamma-image-edit-plus", "qwen-image-edit-plus", "Gamma Image Edit Plus", "2025-09-22", GAMMA_EDIT),
  gamma("gamma-image-edit-max", "qwen-image-edit-max", "Gamma Image Edit Max", "2025-12-31", GAMMA_EDIT),
];
