import type { ModelFacts } from "../../contract/playground.ts";
import { transcriptFormats } from "../../contract/transcription.ts";
import type { EmbeddingRules } from "../../core/embeddings/embedding-rules.ts";
import type { ImageSizes } from "../../core/images/image-rules.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { offersFormat } from "../../core/transcription/transcription-rules.ts";
import type { OrderedModel } from "../../core/videos/video-order.ts";
import { createModelNotFound } from "../models/unserved.ts";
import type { ModelIndex } from "../models/model-index.ts";
import { getOrderedModel } from "../videos/task-provider.ts";

/** Describes the inputs of a model by the rules that check its requests. */
export class DescribeModel {
  readonly #index: ModelIndex;

  constructor(index: ModelIndex) {
    this.#index = index;
  }

  /** @throws GatewayError model_not_found */
  describe(id: string): ModelFacts {
    const servedModel = this.#index.find(id);
    if (servedModel === undefined) throw createModelNotFound(id);
    return getFacts(id, servedModel.spec, getOrderedModel(servedModel));
  }
}

/** @param spec null for models that only a provider's list names */
export function getFacts(id: string, spec: ModelSpec | null, ordered: OrderedModel): ModelFacts {
  return {
    id,
    chat: { efforts: spec?.reasoning === undefined ? null : [...spec.reasoning.efforts] },
    image: getImage(spec),
    edit: getEdit(spec),
    speech: getSpeech(spec),
    transcription: getTranscription(spec),
    embedding: spec?.embedding === undefined ? null : getEmbedding(spec.embedding),
    video: getVideo(ordered),
  };
}

function getImage(spec: ModelSpec | null): ModelFacts["image"] {
  if (spec?.image === undefined) return null;
  const { family, sizes, most, qualities, references } = spec.image;
  return {
    family,
    ...getSizes(sizes),
    most,
    qualities: [...qualities],
    references: { least: references.least, most: takesPictures(family) ? references.most : 0 },
  };
}

/** Gemini takes pictures in its own format only, so elsewhere the common format is used. */
const takesPictures = (family: string): boolean => family === "gamma" || family === "seedream";

/** Common sizes of models whose sizes are free. */
const COMMON_SIZES = ["auto", "1024x1024", "1536x1024", "1024x1536"] as const;

function getSizes(sizes: ImageSizes): { readonly sizes: string[]; readonly free: boolean } {
  switch (sizes.kind) {
    case "list":
      return { sizes: [...sizes.values], free: false };
    case "free":
      return { sizes: [...COMMON_SIZES], free: true };
    case "pixels":
      return { sizes: [...sizes.words], free: true };
    case "fixed":
      return { sizes: [], free: false };
    case "any":
      return { sizes: [], free: true };
  }
}

function getEdit(spec: ModelSpec | null): ModelFacts["edit"] {
  if (spec?.edit === undefined) return null;
  const { sizes, n, qualities, images, mask, squarePng } = spec.edit;
  return {
    sizes: ["auto", ...sizes],
    most: n,
    qualities: [...qualities],
    pictures: images,
    mask,
    square_png: squarePng,
  };
}

function getSpeech(spec: ModelSpec | null): ModelFacts["speech"] {
  if (spec?.speech === undefined) return null;
  const { voices, defaultVoice, formats, fixedFormat, speed, instructions, maxCharacters } = spec.speech;
  return {
    voices: [...voices],
    default_voice: defaultVoice,
    formats: fixedFormat === undefined ? [...formats] : [fixedFormat],
    speed: speed === null ? null : { least: speed.least, most: speed.most },
    instructions,
    most: maxCharacters,
  };
}

function getTranscription(spec: ModelSpec | null): ModelFacts["transcription"] {
  if (spec?.transcription === undefined) return null;
  const { transcription: rules, capabilities } = spec;
  const formats = transcriptFormats.filter((format) => offersFormat(rules, format));
  return { formats, translates: capabilities.includes("translation"), prompt: rules.prompt };
}

function getEmbedding({ dimensions, standard }: EmbeddingRules): ModelFacts["embedding"] {
  if (dimensions === "fixed") return { dimensions: [], least: standard, most: standard, standard };
  if ("oneOf" in dimensions) {
    const lengths = dimensions.oneOf.toSorted((a, b) => a - b);
    return { dimensions: lengths, least: lengths[0] ?? standard, most: lengths.at(-1) ?? standard, standard };
  }
  return { dimensions: null, least: dimensions.least, most: dimensions.most, standard };
}

function getVideo({ rules, providerFamily }: OrderedModel): ModelFacts["video"] {
  if (rules === null) {
    return { family: providerFamily, kind: "any", resolutions: [], durations: null, with_image: null };
  }
  const { family, kind, resolutions, durations, withImage } = rules;
  const seconds = "oneOf" in durations ? [...durations.oneOf] : range(durations.from, durations.to);
  return { family, kind, resolutions: [...resolutions], durations: seconds, with_image: withImage ?? null };
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
