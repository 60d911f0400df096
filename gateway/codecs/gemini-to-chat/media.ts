import type { Document } from "../translation.ts";
import { readRecord, readText } from "../messages-to-chat/fields.ts";
import { writeStandardBase64 } from "./signatures.ts";

/**
 * Converts a part with `inlineData` or `fileData` to a block: pictures, documents and text in Anthropic's format, audio
 * and video in the chat API's, because Anthropic's has neither. Null for a part without either.
 */
export function buildMediaBlock(part: Document): Document | null {
  const inline = readRecord(part["inlineData"]);
  const data = readText(inline["data"]);
  if (data !== null)
    return buildInlineBlock(readType(inline), writeStandardBase64(data), readText(inline["displayName"]));
  const file = readRecord(part["fileData"]);
  const url = readText(file["fileUri"]);
  if (url === null) return null;
  const isPicture = /^https?:/i.test(url) && readType(file).startsWith("image/");
  return { type: isPicture ? "image" : "document", source: { type: "url", url } };
}

const readType = (holder: Document): string => (readText(holder["mimeType"]) ?? "").toLowerCase().split(";")[0] ?? "";

function buildInlineBlock(type: string, data: string, title: string | null): Document {
  const named = title === null ? {} : { title };
  const source = { type: "base64", media_type: type, data };
  if (type.startsWith("image/")) return { type: "image", source };
  if (type.startsWith("audio/"))
    return { type: "input_audio", input_audio: { data, format: SOUNDS[type] ?? type.slice("audio/".length) } };
  if (type.startsWith("video/")) return { type: "video_url", video_url: { url: `data:${type};base64,${data}` } };
  if (type.startsWith("text/") || type === "application/json")
    return { type: "document", source: { type: "text", data: Buffer.from(data, "base64").toString("utf8") }, ...named };
  return { type: "document", source: { ...source, media_type: type || "application/pdf" }, ...named };
}

/** Formats of chat's `input_audio` whose types have other names. */
const SOUNDS: Readonly<Record<string, string>> = {
  "audio/mpeg": "mp3",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
  "audio/vnd.wave": "wav",
};
