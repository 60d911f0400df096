import { missing } from "../failure.ts";
import { isRecord } from "../../lib/records.ts";
import { textOf, type Fields } from "../fields.ts";

/** Something in a message that is not text: named in the answer, so that a client sees that it arrived. */
export interface Attachment {
  /** `an image (image/png, 70 bytes)`. */
  readonly description: string;
  /** What it adds to the prompt: a flat, plausible figure for its kind. */
  readonly tokens: number;
}

const IMAGE_TOKENS = { low: 85, high: 765 };
const AUDIO_TOKENS = 100;
const VIDEO_TOKENS = 1_000;
const FILE_TOKENS = 250;
const UNKNOWN_TOKENS = 10;

/**
 * Reads a content block that is not text.
 * @throws Failure (400) when an image or an audio block lacks what it is about.
 */
export function attachmentOf(block: Fields, param: string): Attachment {
  const type = textOf(block["type"]);
  const detail = type !== undefined && isRecord(block[type]) ? block[type] : {};
  switch (type) {
    case "image_url":
      return {
        description: `an image (${placeOf(detail, `${param}.image_url.url`)})`,
        tokens: detail["detail"] === "low" ? IMAGE_TOKENS.low : IMAGE_TOKENS.high,
      };
    case "video_url":
      return { description: `a video (${placeOf(detail, `${param}.video_url.url`)})`, tokens: VIDEO_TOKENS };
    case "audio_url":
      return { description: `an audio clip (${placeOf(detail, `${param}.audio_url.url`)})`, tokens: AUDIO_TOKENS };
    case "input_audio":
      return { description: `an audio clip (${audioOf(detail, param)})`, tokens: AUDIO_TOKENS };
    case "file":
      return { description: `a file (${fileOf(detail)})`, tokens: FILE_TOKENS };
    case undefined:
      throw missing(`${param}.type`);
    default:
      return { description: `a content block of type ${type.slice(0, 40)}`, tokens: UNKNOWN_TOKENS };
  }
}

function placeOf(detail: Fields, param: string): string {
  const url = textOf(detail["url"]);
  if (url === undefined || url === "") throw missing(param);
  if (!url.startsWith("data:")) return url.length > 120 ? `${url.slice(0, 120)}…` : url;
  const comma = url.indexOf(",");
  const mediaType = url.slice("data:".length, comma).split(";")[0] ?? "";
  return `${mediaType || "no media type"}, ${bytesOfBase64(url.slice(comma + 1))} bytes`;
}

function audioOf(detail: Fields, param: string): string {
  const data = textOf(detail["data"]);
  if (data === undefined) throw missing(`${param}.input_audio.data`);
  return `${textOf(detail["format"]) ?? "no format"}, ${bytesOfBase64(data)} bytes`;
}

function fileOf(detail: Fields): string {
  const data = textOf(detail["file_data"]);
  const name = textOf(detail["filename"]) ?? textOf(detail["file_id"]) ?? "no name";
  if (data === undefined) return name.slice(0, 120);
  return `${name.slice(0, 120)}, ${bytesOfBase64(data.slice(data.indexOf(",") + 1))} bytes`;
}

/** How many bytes a base64 text stands for, without decoding it. */
function bytesOfBase64(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding);
}
