import { openAiVideoRequestSchema } from "../../contract/openai-videos.ts";
import type { OpenAiVideoRequest } from "../../contract/openai-videos.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { findNearestRatio } from "../images/aspect-ratio.ts";
import { validate } from "../validation.ts";
import type { OrderedModel, VideoKind } from "./video-order.ts";
import { missing, wrongType, wrongValue } from "./video-refusal.ts";
import { findNearestResolution, getRatios, formatResolutionName, getSidesOfSize } from "./video-size.ts";
import {
  findAgreed,
  findNearestDuration,
  readRatios,
  readSecondsTerm,
  readTextTerm,
  chooseSeconds,
} from "./video-terms.ts";
import type { Fields, Term } from "./video-terms.ts";

/**
 * Translates OpenAI's single field for source media; each model family has its own fields
 * (docs/providers/README.md#video-requests).
 */

const isVideo = (url: string): boolean => /^data:video\/|\.(mp4|mov|webm)(\?|#|$)/i.test(url);

/** Returns `input` with a picture or a video as its source or reference. */
function withReference(input: Fields, url: string, { rules, providerFamily }: OrderedModel): Fields {
  const kind = rules?.withImage === undefined ? (rules?.kind ?? "any") : "i2v";
  switch (rules?.family ?? providerFamily) {
    case "alpha-legacy":
      if (kind !== "r2v") return { ...input, img_url: url };
      return { ...input, reference_urls: [url, ...readList(input, "reference_urls")] };
    case "alpha":
      return withMedia(input, { type: alphaType(url, kind), url });
    case "beta":
      return withMedia(input, { type: betaType(url, kind), url });
    case "grok":
      return { ...input, [isVideo(url) ? "video" : "image"]: { url } };
    case "sora":
      return { ...input, input_reference: url };
    default:
      return withMedia(input, { type: isVideo(url) ? "reference_video" : "first_frame", url });
  }
}

function alphaType(url: string, kind: VideoKind): string {
  if (kind === "r2v") return isVideo(url) ? "reference_video" : "reference_image";
  return isVideo(url) ? "first_clip" : "first_frame";
}

function betaType(url: string, kind: VideoKind): string {
  if (isVideo(url)) return "video";
  return kind === "r2v" || kind === "edit" ? "reference_image" : "first_frame";
}

/** Puts the item before those that the client lists itself. */
function withMedia(input: Fields, item: Fields): Fields {
  return { ...input, media: [item, ...readList(input, "media")] };
}

function readList(input: Fields, name: string): readonly unknown[] {
  const list = input[name];
  return asList(list);
}

/** The default of OpenAI's clients, which OpenAI ended on 2026-09-24; other servers still take it. */
export const DEFAULT_VIDEO_MODEL = "sora-2";
const DEFAULT_SECONDS = 4;
/** The only durations that OpenAI's clients can send (docs/providers/openai.md#videos). */
const OPENAI_SECONDS: ReadonlySet<number> = new Set([4, 8, 12]);
const DEFAULT_SIZE = "720x1280";

/** A body for `/v1/videos/generations`. `model` may differ from the requested one: its image-to-video sibling. */
export interface TranslatedVideo {
  readonly model: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** OpenAI's fields, which are translated rather than forwarded. */
const OPENAI_FIELDS = new Set(["model", "prompt", "seconds", "size", "input_reference"]);
const OUR_FIELDS = new Set(["duration", "resolution", "aspect_ratio", "input", "parameters", "webhook_url", "wait"]);

/**
 * Translates OpenAI's `POST /v1/videos` to our own request. Omitted fields get the model's nearest value to OpenAI's
 * default; OpenAI's durations are mapped to the nearest supported one. All other values must be supported by the model.
 * Fields of our API (`input`, `parameters`, `webhook_url`, `resolution`, …) are forwarded; unknown ones too if the
 * provider uses OpenAI's dialect.
 * @param fields the JSON body, or a form's texts. @param reference the form's file.
 * @throws GatewayError naming the invalid field and the accepted values (400).
 */
export function videoFromOpenAi(
  fields: Fields,
  reference: { readonly dataUrl: string } | null,
  model: OrderedModel,
): TranslatedVideo {
  const request = validate(openAiVideoRequestSchema, typedFields(fields));
  const family = model.rules?.family ?? model.providerFamily;
  const url = reference?.dataUrl ?? findReference(request);
  const id = url === null ? model.id : (model.rules?.withImage ?? model.id);
  const given: Fields = { ...request.input, ...(request.prompt == null ? {} : { prompt: request.prompt }) };
  if (given["prompt"] == null && given["content"] == null) {
    throw missing("prompt", "expected a text that says what to film");
  }
  const others = Object.entries(request).filter(([name, value]) => value != null && !OPENAI_FIELDS.has(name));
  const own = Object.fromEntries(others.filter(([name]) => OUR_FIELDS.has(name)));
  const unknown = family === "sora" ? Object.fromEntries(others.filter(([name]) => !OUR_FIELDS.has(name))) : {};
  const shape = readShape(request, url !== null, model);
  return {
    model: id,
    request: {
      ...own,
      model: id,
      ...readDuration(request, model),
      ...shape.top,
      input: { ...unknown, ...(url === null ? given : withReference(given, url, model)) },
      ...(shape.parameters === null ? {} : { parameters: shape.parameters }),
    },
  };
}

function readDuration(request: OpenAiVideoRequest, model: OrderedModel): { duration?: number } {
  const { seconds, duration, parameters } = request;
  const term = findAgreed([
    seconds == null ? null : { value: measureWholeSeconds(seconds), place: "seconds", written: seconds },
    duration == null ? null : { value: duration, place: "duration", written: duration },
    readSecondsTerm(parameters ?? {}, "duration", "parameters"),
  ]);
  if (term !== null && term.place === "seconds" && OPENAI_SECONDS.has(term.value) && model.rules !== null) {
    // OpenAI's SDKs know no other lengths: without this, models that make 5 or 10 seconds could not be used at all.
    if (model.rules.family !== "sora") return { duration: findNearestDuration(term.value, model.rules) };
  }
  if (term !== null) return term.place === "parameters.duration" ? {} : { duration: chooseSeconds(term, model) };
  if (model.rules !== null) return { duration: findNearestDuration(DEFAULT_SECONDS, model.rules) };
  // A self-hosted server has its own default.
  return model.providerFamily === "sora" ? {} : { duration: DEFAULT_SECONDS };
}

/** OpenAI's clients send `"8"`. */
function measureWholeSeconds(seconds: string | number): number {
  const value = typeof seconds === "string" && /^\s*\d{1,4}\s*$/.test(seconds) ? Number(seconds) : seconds;
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw wrongValue("seconds", seconds, 'expected a whole number of seconds, as "8"');
}

interface Shape {
  readonly top: { readonly resolution?: string; readonly aspect_ratio?: string };
  readonly parameters: Fields | null;
}

/** Provider fields that set the shape; if present, no shape is added. */
const SHAPE_SETTINGS = ["size", "resolution", "ratio", "aspect_ratio"];

function readShape(request: OpenAiVideoRequest, withPicture: boolean, model: OrderedModel): Shape {
  const { size, resolution, aspect_ratio: ratio } = request;
  const parameters = request.parameters ?? null;
  const family = model.rules?.family ?? model.providerFamily;
  const silent = resolution == null && ratio == null && !SHAPE_SETTINGS.some((name) => parameters?.[name] != null);
  if (size == null && !silent) return { top: {}, parameters };
  if (family === "sora") {
    findAgreed([readTextTerm(request, "size", ""), readTextTerm(parameters ?? {}, "size", "parameters")]);
    const own = size ?? (model.rules === null ? null : DEFAULT_SIZE);
    return {
      top: {},
      parameters: own === null ? parameters : { ...parameters, size: own.toLowerCase().replace("*", "x") },
    };
  }
  const requestedSize = size ?? DEFAULT_SIZE;
  const sides = getSidesOfSize(requestedSize) ?? [720, 1280];
  const createTerm = (value: string): Term<string> => ({ value, place: "size", written: requestedSize });
  const name = findNearestResolution(sides, model.rules?.resolutions);
  const agreedName = findAgreed([
    createTerm(name),
    resolution == null ? null : { value: formatResolutionName(resolution), place: "resolution", written: resolution },
  ]);
  const ratios = family === "alpha-legacy" ? getRatios(name) : readRatios(family);
  // A picture has a shape already: only a client that names a size wants another one.
  const shape = size == null && withPicture ? {} : { aspect_ratio: ratio ?? findNearestRatio(...sides, ratios) };
  return { top: { resolution: agreedName?.value ?? name, ...shape }, parameters };
}

/** Returns the address of a picture that JSON names; null if it names no picture. */
function findReference({ input_reference: reference }: OpenAiVideoRequest): string | null {
  if (reference == null) return null;
  if (typeof reference === "string") return reference;
  const image = reference["image_url"];
  const url = isRecord(image) ? image["url"] : image;
  if (typeof url === "string") return url;
  throw wrongValue(
    "input_reference",
    reference,
    "files stored at OpenAI cannot be read from here: send the picture itself, or its address as image_url",
  );
}

/** Parses a form's texts as JSON types; other texts stay unchanged for the following check. */
function typedFields(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, readTyped(name, value)]));
}

function readTyped(name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (name === "duration") return /^\d{1,4}$/.test(value.trim()) ? Number(value) : value;
  if (name === "wait") return value === "true" ? true : value === "false" ? false : value;
  if (name === "input" || name === "parameters" || (name === "input_reference" && value.startsWith("{"))) {
    return parseField(name, value);
  }
  return value;
}

function parseField(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw wrongType(name, "expected a JSON object", text);
  }
}
