import { GatewayError } from "../../core/errors.ts";
import { readText } from "../messages-to-chat/fields.ts";
import type { Document } from "../translation.ts";
import { buildDataUri, buildImageSource } from "./image-source.ts";

/**
 * Converts a `file` of the chat dialect to a document: PDF from data or URL, plain text from data; an image to an image
 * block.
 * @param param path of the file in the request.
 * @throws GatewayError for files by id, which are stored at another provider, and for other types (400).
 */
export function buildFileBlock(file: Document, param: string): Document {
  const data = readText(file["file_data"]);
  if (data === null) throw unreadable("has no 'file_data'", param);
  const title = readText(file["filename"]);
  if (/^https?:\/\//i.test(data)) return buildDocumentBlock({ type: "url", url: data }, title);
  // Some clients send bare base64, which is a PDF, as everywhere in the chat dialect.
  const { mediaType, data: base64 } = data.startsWith("data:")
    ? (buildDataUri(data) ?? { mediaType: "another encoding than base64", data: "" })
    : { mediaType: "application/pdf", data };
  if (mediaType === "application/pdf") {
    return buildDocumentBlock({ type: "base64", media_type: mediaType, data: base64 }, title);
  }
  if (mediaType.startsWith("image/")) return { type: "image", source: buildImageSource(data, `${param}.file_data`) };
  if (mediaType.startsWith("text/") || mediaType === "application/json") {
    return buildDocumentBlock({ type: "text", media_type: "text/plain", data: decodedText(base64, param) }, title);
  }
  throw unreadable(`is of type "${mediaType.slice(0, 60)}"`, param);
}

function buildDocumentBlock(source: Document, title: string | null): Document {
  return { type: "document", source, ...(title === null ? {} : { title }) };
}

function decodedText(base64: string, param: string): string {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    throw unreadable("is not valid base64", param);
  }
}

function unreadable(what: string, param: string): GatewayError {
  return new GatewayError(
    "unsupported_value",
    `The file in '${param}' ${what}. Claude models take PDF, text and images in 'file_data', as a data URI in base64.`,
    { param },
  );
}
