import type { Attachment } from "../conversation/conversation.ts";
import { ATTACHMENT_TOKENS, bytesOfBase64, placeOfUrl } from "../conversation/attachments.ts";
import { missing } from "../failure.ts";
import { isRecord } from "../../lib/records.ts";
import { textOf, type Fields } from "../fields.ts";

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
        tokens: detail["detail"] === "low" ? ATTACHMENT_TOKENS.smallImage : ATTACHMENT_TOKENS.image,
      };
    case "video_url":
      return { description: `a video (${placeOf(detail, `${param}.video_url.url`)})`, tokens: ATTACHMENT_TOKENS.video };
    case "audio_url":
      return {
        description: `an audio clip (${placeOf(detail, `${param}.audio_url.url`)})`,
        tokens: ATTACHMENT_TOKENS.audio,
      };
    case "input_audio":
      return { description: `an audio clip (${audioOf(detail, param)})`, tokens: ATTACHMENT_TOKENS.audio };
    case "file":
      return { description: `a file (${fileOf(detail)})`, tokens: ATTACHMENT_TOKENS.file };
    case undefined:
      throw missing(`${param}.type`);
    default:
      return { description: `a content block of type ${type.slice(0, 40)}`, tokens: ATTACHMENT_TOKENS.unknown };
  }
}

function placeOf(detail: Fields, param: string): string {
  const url = textOf(detail["url"]);
  if (url === undefined || url === "") throw missing(param);
  return placeOfUrl(url);
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
