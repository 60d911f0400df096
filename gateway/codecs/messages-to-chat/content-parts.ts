import { GatewayError } from "../../core/errors.ts";
import type { Document } from "../translation.ts";
import { readBlocks, readRecord, readText } from "./fields.ts";

/**
 * Converts a block of a user's turn or tool result to parts of the chat dialect
 * (docs/dialects.md#messages-request-to-chat). Empty for Anthropic-specific blocks (results of hosted tools,
 * containers).
 * @throws GatewayError for media that only Anthropic can read: a file of its Files API, a document by reference (400).
 */
export function readParts(block: Document): readonly Document[] {
  switch (block["type"]) {
    case "image":
      return [buildImagePart(readRecord(block["source"]))];
    case "document":
      return buildDocumentParts(block);
    // The chat API's own format, because Anthropic's has neither audio nor video.
    case "input_audio":
    case "video_url":
      return [block];
    case "search_result":
      return [buildTextPart(searchResultText(block))];
    case "tool_reference":
      return [buildTextPart(`Tool found: ${readText(block["tool_name"]) ?? "unnamed"}`)];
    default: {
      const text = readText(block["text"]);
      return text === null ? [] : [buildTextPart(text)];
    }
  }
}

export function buildTextPart(text: string): Document {
  return { type: "text", text };
}

function buildImagePart(source: Document): Document {
  return { type: "image_url", image_url: { url: getImageUrl(source) } };
}

function getImageUrl(source: Document): string {
  const data = readText(source["data"]);
  if (data !== null) return `data:${readText(source["media_type"]) ?? "image/png"};base64,${data}`;
  const url = readText(source["url"]);
  if (url !== null) return url;
  throw unreadable("image", source, 'an image as "base64" or "url"');
}

function buildDocumentParts(block: Document): readonly Document[] {
  const source = readRecord(block["source"]);
  const title = readText(block["title"]);
  switch (source["type"]) {
    case "base64":
      return [buildPdfPart(title, source)];
    case "text":
      return [buildTextPart(addTitle(title, readText(source["data"]) ?? ""))];
    case "content":
      return [
        ...(title === null ? [] : [buildTextPart(addTitle(title, ""))]),
        ...readBlocks(source["content"]).flatMap(readParts),
      ];
    default:
      throw unreadable("document", source, 'a document as "base64", "text" or "content"');
  }
}

function buildPdfPart(title: string | null, source: Document): Document {
  const mediaType = readText(source["media_type"]) ?? "application/pdf";
  const data = readText(source["data"]) ?? "";
  return {
    type: "file",
    file: { filename: title ?? "document.pdf", file_data: `data:${mediaType};base64,${data}` },
  };
}

function searchResultText(block: Document): string {
  const source = readText(block["source"]);
  const heading = [readText(block["title"]), source === null ? null : `(${source})`].filter((part) => part !== null);
  const texts = readBlocks(block["content"]).map((inner) => readText(inner["text"]) ?? "");
  return addTitle(heading.length === 0 ? null : heading.join(" "), texts.join("\n"));
}

function addTitle(title: string | null, text: string): string {
  return title === null ? text : `${title}\n\n${text}`.trimEnd();
}

function unreadable(block: string, source: Document, accepted: string): GatewayError {
  const type = readText(source["type"])?.slice(0, 40) ?? "none";
  return new GatewayError(
    "unsupported_value",
    `A block of type "${block}" in 'messages' has a source of type "${type}", which this model's provider cannot read. ` +
      `Send ${accepted}, or ask a Claude model.`,
    { param: "messages" },
  );
}
