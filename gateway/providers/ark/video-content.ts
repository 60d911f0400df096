import { OBEYING } from "../../core/videos/video-seed.ts";
import { isRecord } from "../../lib/records.ts";
import { at, getPictureUrl } from "../../core/videos/video-flat.ts";
import type { Part } from "../../core/videos/video-flat.ts";
import { readMedia, readPrompt, readUrls } from "../../core/videos/video-input.ts";
import { missing, wrongType } from "../../core/videos/video-refusal.ts";
import { formatResolutionName } from "../../core/videos/video-size.ts";
import type { Fields, Term } from "../../core/videos/video-terms.ts";

/** Ark's `content`: the sources of a Seedance video (docs/providers/ark.md#videos). */
export type Content = readonly Fields[];

/** Names of pictures, and the roles that they have. */
const PICTURES = {
  image: "first_frame",
  img_url: "first_frame",
  first_frame: "first_frame",
  last_frame: "last_frame",
} as const;
const MEDIA_TYPES = [
  "first_frame",
  "last_frame",
  "reference_image",
  "reference_video",
  "video",
  "reference_audio",
  "driving_audio",
];

/** Fields that `content` carries, so that they are not sent again. */
export const CONTENT_FIELDS: readonly string[] = [
  "content",
  "prompt",
  ...Object.keys(PICTURES),
  "reference_urls",
  "media",
];

const SOUND = /^data:audio\/|\.(mp3|wav|m4a|aac)(\?|#|$)/i;
const MOVING = /^data:video\/|\.(mp4|mov|webm|m4v)(\?|#|$)/i;

/**
 * Builds `content` from the common fields of our families, followed by the client's own `content` (the same array if
 * nothing is added): `prompt`, `image`, `img_url`, `first_frame`, `last_frame`, `reference_urls`, `media`.
 * @throws GatewayError if there is no source for a video.
 */
export function readContent(source: Part, model: string): Content {
  const { fields } = source;
  const own = fields["content"];
  const content = own === undefined ? [] : checkContent(own, at(source, "content"));
  const prompt = readPrompt(fields, false, at(source, "prompt"));
  const text = prompt === "" || content.some(({ type }) => type === "text") ? [] : [{ type: "text", text: prompt }];
  const added = [...text, ...addPrompt(source, model)];
  if (content.length + added.length > 0) return added.length === 0 ? content : [...added, ...content];
  throw missing("input.prompt", "expected a text that says what to film, or 'content' as Ark takes it");
}

export const readText = (content: Content): string =>
  content.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : [])).join("\n");

function checkContent(content: unknown, place: string): Content {
  if (!Array.isArray(content)) throw wrongType(place, "expected an array of content items", content);
  return content.map((item: unknown, index) => {
    if (!isRecord(item)) throw wrongType(`${place}[${index}]`, 'expected an object with "type"', item);
    const { type, text } = item;
    if (type !== "text" || typeof text === "string") return item;
    throw wrongType(`${place}[${index}].text`, "expected a text", text);
  });
}

function addPrompt(source: Part, model: string): Content {
  const { fields, within } = source;
  const pictures = Object.entries(PICTURES).flatMap(([name, role]) => {
    const url = getPictureUrl(source, name);
    return url === null ? [] : [readItem(role, url)];
  });
  const references = readUrls(fields, "reference_urls", within).map((url) => readItem(readKind(url), url));
  const media = readMedia(fields, MEDIA_TYPES, model, at(source, "media")).map(({ type, url }) => readItem(type, url));
  return [...pictures, ...references, ...media];
}

function readKind(url: string): string {
  if (MOVING.test(url)) return "reference_video";
  return SOUND.test(url) ? "reference_audio" : "reference_image";
}

function readItem(type: string, url: string): Fields {
  if (type === "reference_video" || type === "video") {
    return { type: "video_url", video_url: { url }, role: "reference_video" };
  }
  if (type.endsWith("_audio")) return { type: "audio_url", audio_url: { url }, role: "reference_audio" };
  return { type: "image_url", image_url: { url }, role: type };
}

/** The video's terms in the prompt itself. */
export interface WrittenTerms {
  readonly duration: Term<number> | null;
  readonly resolution: Term<string> | null;
  readonly ratio: Term<string> | null;
}

/**
 * `--rs 720p --rt 16:9 --dur 5` in a prompt, which the models of the first generation obey
 * (docs/providers/ark.md#videos).
 */
export function readTerms(prompt: string, place: string, model: string): WrittenTerms {
  const find = (pattern: string): Term<string> | null => {
    const written = OBEYING.test(model) ? new RegExp(`\\s--(?:${pattern})(?=\\s|$)`, "i").exec(prompt)?.[1] : undefined;
    return written === undefined ? null : { value: written, place, written };
  };
  const duration = find(String.raw`dur(?:ation)?\s+(\d{1,3})`);
  const resolution = find(String.raw`(?:rs|resolution)\s+(\d+[pk])`);
  return {
    duration: duration === null ? null : { ...duration, value: Number(duration.value) },
    resolution: resolution === null ? null : { ...resolution, value: formatResolutionName(resolution.value) },
    ratio: find(String.raw`(?:rt|ratio)\s+(\d+:\d+)`),
  };
}
