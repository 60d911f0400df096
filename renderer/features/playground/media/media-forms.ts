import * as z from "zod";
import { embeddingsRequestSchema } from "../../../../gateway/contract/embeddings.ts";
import { imageEditFieldsSchema } from "../../../../gateway/contract/image-edits.ts";
import {
  gammaImageRequestSchema,
  grokImageRequestSchema,
  promptImageRequestSchema,
  seedreamImageRequestSchema,
  unlistedImageRequestSchema,
} from "../../../../gateway/contract/images.ts";
import type { ModelFacts } from "../../../../gateway/contract/playground.ts";
import { speechRequestSchema } from "../../../../gateway/contract/speech.ts";
import { transcriptionFieldsSchema, translationFieldsSchema } from "../../../../gateway/contract/transcription.ts";
import { videoRequestSchema } from "../../../../gateway/contract/videos.ts";
import { createFields, isMain, type SchemaField } from "../../../components/schema-form/schema-fields.ts";
import type { Messages } from "../../../locales/messages.ts";
import type { MediaKind } from "../kinds.ts";

/** Facts of the chosen model; undefined while they are not known. */
type Facts = ModelFacts | undefined;

/** Changes of a field for a model; null removes the field. */
type Refinement = Partial<SchemaField> | null;

/** Field with the user's text. */
export const TEXT_FIELDS: Readonly<Record<MediaKind, string>> = {
  image: "prompt",
  edit: "prompt",
  speech: "input",
  transcription: "prompt",
  video: "prompt",
  embedding: "input",
};

/** Fields that the page fills in itself, and those that change how a response is transported. */
const HIDDEN = new Set([
  "model",
  "messages",
  "image",
  "stream",
  "stream_format",
  "partial_images",
  "wait",
  "webhook_url",
]);
const HIDDEN_BY_KIND: Readonly<Partial<Record<MediaKind, readonly string[]>>> = {
  image: ["response_format", "user", "sequential_image_generation", "max_images"],
  edit: ["response_format", "user"],
  embedding: ["encoding_format"],
};

/** Fields of the form for an endpoint and a model, made from the schema that the endpoint checks requests by. */
export function createMediaFields(
  kind: MediaKind,
  facts: Facts,
  isTranslation: boolean,
  t: Messages["playground"],
): readonly SchemaField[] {
  const {
    properties,
    required = [],
    ...schema
  } = z.toJSONSchema(selectSchema(kind, facts, isTranslation), {
    io: "input",
    unrepresentable: "any",
  });
  // Some families have the text inside a list of messages, or next to pictures.
  const text = TEXT_FIELDS[kind];
  const needed = kind === "transcription" ? required : [...required, text];
  const named = { ...schema, properties: { [text]: { type: "string" }, ...properties }, required: needed };
  const fields = createFields(named, false);
  const refinements = collectRefinements(kind, facts, t);
  const labels: Readonly<Record<string, string>> = t.labels;
  const hidden = HIDDEN_BY_KIND[kind] ?? [];
  return fields
    .flatMap((field): readonly SchemaField[] => {
      const name = field.name.slice(field.name.lastIndexOf(".") + 1);
      const refinement = refinements[name];
      if (HIDDEN.has(name) || hidden.includes(name) || refinement === null) return [];
      const label = labels[name];
      return [{ ...field, ...(label !== undefined && { label }), ...refinement }];
    })
    .toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)));
}

function selectSchema(kind: MediaKind, facts: Facts, isTranslation: boolean): z.ZodObject {
  switch (kind) {
    case "image":
      return selectImageSchema(facts?.image?.family);
    case "edit":
      return imageEditFieldsSchema();
    case "speech":
      return speechRequestSchema;
    case "transcription":
      return isTranslation ? translationFieldsSchema : transcriptionFieldsSchema;
    case "video":
      return videoRequestSchema;
    case "embedding":
      return embeddingsRequestSchema;
  }
}

function selectImageSchema(family: string | undefined): z.ZodObject {
  switch (family) {
    case undefined:
      return unlistedImageRequestSchema();
    case "gamma":
      return gammaImageRequestSchema();
    case "seedream":
      return seedreamImageRequestSchema();
    case "grok":
      return grokImageRequestSchema();
    default:
      return promptImageRequestSchema();
  }
}

const RATIOS = ["16:9", "9:16", "1:1", "4:3", "3:4"] as const;
/** Default max images of one call for models without known rules. */
const MAX_IMAGES = 10;
const MAIN = { main: true } as const;

/**
 * Builds a choice of values; a text field with suggestions if other values are allowed; no field without alternatives.
 */
function offer(values: readonly (string | number)[], isFree: boolean): Refinement {
  if (isFree) return { ...MAIN, suggestions: values.map(String) };
  return values.length === 0 ? null : { ...MAIN, control: "choice", choices: values };
}

function collectRefinements(
  kind: MediaKind,
  facts: Facts,
  t: Messages["playground"],
): Readonly<Record<string, Refinement>> {
  const example = t.examples[kind];
  switch (kind) {
    case "image":
      return { prompt: { example, rows: 5 }, seed: MAIN, aspect_ratio: MAIN, ...offerImages(facts?.image ?? null) };
    case "edit":
      return { prompt: { label: t.change, example, rows: 4 }, ...offerImages(facts?.edit ?? null) };
    case "speech": {
      const speech = facts?.speech ?? null;
      return {
        input: { label: t.text, example, rows: 6 },
        voice: { kinds: ["string"], ...(speech === null ? { ...MAIN, control: "line" } : offer(speech.voices, false)) },
        response_format: offer(speech?.formats ?? ["mp3", "wav", "opus", "aac", "flac"], speech === null),
        speed: speech?.speed === null ? null : offer([0.75, 1, 1.25, 1.5], true),
        instructions: speech?.instructions === false ? null : { ...MAIN, example: t.instructionsExample, rows: 2 },
      };
    }
    case "transcription": {
      const rules = facts?.transcription ?? null;
      return {
        prompt: rules?.prompt === false ? null : { label: t.hints, example, rows: 2 },
        response_format: rules === null ? MAIN : offer(rules.formats, false),
        language: MAIN,
      };
    }
    case "video": {
      const { durations = null, resolutions = [] } = facts?.video ?? {};
      return {
        prompt: { example, rows: 5 },
        input: { main: false },
        duration: durations === null ? MAIN : offer(durations, false),
        resolution: offer(resolutions, resolutions.length === 0),
        aspect_ratio: offer(RATIOS, false),
      };
    }
    case "embedding": {
      const rules = facts?.embedding ?? null;
      const help = rules === null ? "" : t.standard(rules.standard);
      return {
        input: { label: t.texts, control: "lines", kinds: ["string"], example, rows: 7, help: t.oneALine },
        dimensions: rules?.dimensions == null ? { ...MAIN, help } : withHelp(offer(rules.dimensions, false), help),
      };
    }
  }
}

const withHelp = (refinement: Refinement, help: string): Refinement => refinement && { ...refinement, help };

/** Sizes, numbers and qualities of the images that a model makes or edits. */
function offerImages(facts: ModelFacts["image"] | ModelFacts["edit"]): Readonly<Record<string, Refinement>> {
  const most = Math.min(MAX_IMAGES, facts?.most ?? MAX_IMAGES);
  const numbers = Array.from({ length: most }, (_, index) => index + 1);
  return {
    size: offer(facts?.sizes ?? [], facts === null || ("free" in facts && facts.free)),
    n: offer(most > 1 ? numbers : [], false),
    quality: facts === null ? MAIN : offer(facts.qualities, false),
  };
}
