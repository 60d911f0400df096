import { FieldRules } from "../../core/keys/key-reach.ts";
import { asList, isRecord } from "../../lib/records.ts";
import type { ImageResult, ImagesAdapter, ProviderImages, ImagesCall, AllowedDrawing } from "../images.ts";
import { contentsRequest, buildGeminiRequest } from "./image-request.ts";
import { billedUnits, readUsage, shownUsage } from "./usage.ts";
import { readBound, finite, lower } from "../output-bound.ts";
import { findNearestRatio } from "../../core/images/aspect-ratio.ts";
import { readSides } from "../../core/images/image-rules.ts";

/** `imageConfig.aspectRatio` (docs/providers/gemini.md#images). */
const RATIOS = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"] as const;
const SIZE_WORDS: ReadonlySet<unknown> = new Set(["512", "1K", "2K", "4K"]);

/** Sides of a square of as many pixels, up to which a size is made as 1K, and as 2K: midway between the two. */
const MOST_AT_1K = 1_448;
const MOST_AT_2K = 2_896;

/**
 * Converts `WxH` or one of Gemini's own values to Gemini's fields: its nearest ratio, and its nearest size if the model
 * has sizes (Gemini 3 and later).
 * @returns undefined if the model decides: no size, `auto`, or an unreadable one.
 */
export function buildImageConfig(size: unknown, upstreamModel: string): Readonly<Record<string, string>> | undefined {
  if (typeof size !== "string") return undefined;
  const hasSizes = !/gemini-2\./.test(upstreamModel);
  if (SIZE_WORDS.has(size)) return hasSizes ? { imageSize: size } : undefined;
  const sides = readSides(size);
  if (sides === null) return undefined;
  const [width, height] = sides;
  return {
    aspectRatio: findNearestRatio(width, height, RATIOS),
    ...(hasSizes ? { imageSize: findNearestSize(Math.sqrt(width * height)) } : {}),
  };
}

function findNearestSize(side: number): string {
  if (side <= MOST_AT_1K) return "1K";
  return side <= MOST_AT_2K ? "2K" : "4K";
}

type Fields = Readonly<Record<string, unknown>>;

/** Max output of Gemini's image models: pictures, text and reasoning (ai.google.dev, models). */
const LONGEST = 32_768;
/** A picture of 4K has 2,520 tokens, and the model thinks before it draws. */
const LEAST = 4_608;

/** Returns the limits of the response. @param config the request's `generationConfig`. */
export function allowedDrawing(config: unknown, bound: number | null): AllowedDrawing {
  const requested = isRecord(config) ? readBound(config["maxOutputTokens"]) : null;
  const choices = isRecord(config) ? (readBound(config["candidateCount"]) ?? 1) : 1;
  return {
    perChoice: Math.min(LONGEST, lower(requested, finite(bound)) ?? LONGEST),
    choices: Math.max(1, choices),
    least: lower(requested, LEAST) ?? LEAST,
    open: requested === null,
  };
}

/** Returns `generationConfig` with the bound that the money allows, if it is lower. */
export function boundedDrawing(config: Fields | undefined, bound: number | null): Fields | undefined {
  const money = finite(bound);
  const requested = readBound(config?.["maxOutputTokens"]);
  if (money === null || (requested !== null && requested <= money)) return config;
  return { ...config, maxOutputTokens: money };
}

const reaches = new FieldRules({
  hosted_tool: ["tools[]"],
  stored_object: ["cachedContent", "contents[].parts[].fileData.fileUri", "contents[].parts[].file_data.file_uri"],
});

/**
 * Gemini's image models, natively (docs/providers/gemini.md#native-requests and docs/providers/gemini.md#images): the
 * OpenAI compatibility layer has only a few fields. A body with `contents` is Google's own and gets Google's response;
 * one with a `prompt` is translated, with a response in OpenAI's format.
 */
export const images: ImagesAdapter = {
  families: { gemini: buildGeminiRequest },
  ownShape: { field: "contents", read: contentsRequest },
  reaches,
  toRequest: (call, secret) => {
    const predicts = isImagen(call.upstreamModel);
    const body = predicts ? predictBody(call) : isNative(call) ? buildNativeBody(call) : translatedBody(call);
    return {
      method: "POST",
      path: `/v1beta/models/${encodeURIComponent(call.upstreamModel)}:${predicts ? "predict" : "generateContent"}`,
      headers: buildGoogleHeaders(secret),
      body: JSON.stringify(body),
    };
  },
  allows: (call) => {
    if (isImagen(call.upstreamModel)) return null;
    return allowedDrawing(
      (isNative(call) ? buildNativeBody(call) : translatedBody(call))["generationConfig"],
      call.bound,
    );
  },
  fromResponse: readResponse,
  toUnits: null,
};

function isNative({ body }: ImagesCall): boolean {
  return Array.isArray(body["contents"]);
}

/** The model is in the path; Google refuses fields that it does not know. */
function buildNativeBody({ body, bound }: ImagesCall): Readonly<Record<string, unknown>> {
  const config = body["generationConfig"];
  const generationConfig = boundedDrawing(isRecord(config) ? config : undefined, bound);
  return { ...body, generationConfig, model: undefined, stream: undefined };
}

function translatedBody({ body, upstreamModel, bound }: ImagesCall): Readonly<Record<string, unknown>> {
  const { n, seed } = body;
  // Undefined fields are not serialized.
  return {
    contents: [{ role: "user", parts: [{ text: body["prompt"] }] }],
    generationConfig: boundedDrawing(
      {
        responseModalities: ["IMAGE"],
        imageConfig: buildImageConfig(body["size"], upstreamModel),
        candidateCount: typeof n === "number" && n > 1 ? n : undefined,
        seed: typeof seed === "number" ? seed : undefined,
      },
      bound,
    ),
  };
}

function readResponse(body: unknown, call: ImagesCall): ProviderImages | null {
  if (!isRecord(body)) return null;
  const parts = readParts(body);
  const found = [...parts.flatMap(findPicture), ...predictedImages(body)];
  const native = isNative(call);
  // Google's own clients also accept text; other clients requested a picture and get one, or an error.
  if (found.length === 0 && !(native && parts.some((part) => typeof part["text"] === "string"))) return null;
  const usage = readUsage(body["usageMetadata"]);
  const units = { image: found.length, ...(usage === null ? {} : billedUnits(usage)) };
  if (native) return { body, images: found, units };
  return {
    body: {
      data: found.map((image) => (image.kind === "base64" ? { b64_json: image.data } : { url: image.url })),
      ...(usage === null ? {} : { usage: shownUsage(usage) }),
    },
    images: found,
    units,
  };
}

/** The parts of all candidates, without the sketches that a model makes while it thinks. */
function readParts(body: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  const candidates = asList(body["candidates"]);
  return candidates.flatMap((candidate) => {
    const content = isRecord(candidate) && isRecord(candidate["content"]) ? candidate["content"] : {};
    const parts = asList(content["parts"]);
    return parts.filter(isRecord).filter((part) => part["thought"] !== true);
  });
}

function findPicture(part: Readonly<Record<string, unknown>>): readonly ImageResult[] {
  const inline = part["inlineData"];
  const data = isRecord(inline) ? inline["data"] : null;
  return typeof data === "string" && data !== "" ? [{ kind: "base64", data }] : [];
}

/** Imagen models have a separate operation, `:predict` (docs/providers/gemini.md#images). */
function isImagen(upstreamModel: string): boolean {
  return /(^|\/)imagen-/.test(upstreamModel);
}

function predictBody({ body, upstreamModel }: ImagesCall): Readonly<Record<string, unknown>> {
  const config = buildImageConfig(body["size"], upstreamModel);
  // Undefined fields are not serialized.
  return {
    instances: [{ prompt: body["prompt"] }],
    parameters: {
      sampleCount: typeof body["n"] === "number" ? body["n"] : 1,
      aspectRatio: config?.["aspectRatio"],
      sampleImageSize: config?.["imageSize"],
    },
  };
}

/** Returns the pictures of `predictions[].bytesBase64Encoded`; filtered ones have none. */
function predictedImages(body: Readonly<Record<string, unknown>>): readonly ImageResult[] {
  const predictions = asList(body["predictions"]);
  return predictions.flatMap((prediction): readonly ImageResult[] => {
    const data = isRecord(prediction) ? prediction["bytesBase64Encoded"] : null;
    return typeof data === "string" && data !== "" ? [{ kind: "base64", data }] : [];
  });
}

/** Headers of a native request: the key is `x-goog-api-key` there (docs/providers/gemini.md). */
export function buildGoogleHeaders(secret: string | null): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "identity",
    ...(secret === null ? {} : { "x-goog-api-key": secret }),
  };
}
