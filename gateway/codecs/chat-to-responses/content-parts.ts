import { GatewayError } from "../../core/errors.ts";
import { readBlocks, readRecord, readText } from "../messages-to-chat/fields.ts";
import type { Document } from "../translation.ts";

/**
 * Converts the content of a message or tool result: text stays text, blocks become input parts.
 * @param param path of the content, e.g. `messages[2].content`.
 * @throws GatewayError for audio, video, and unknown types (400).
 */
export function buildInputContent(content: unknown, param: string): string | readonly Document[] {
  if (typeof content === "string") return content;
  const parts = readBlocks(content).map((block, index) => buildInputPart(block, `${param}[${index}]`));
  return parts.length === 0 ? "" : parts;
}

function buildInputPart(block: Document, param: string): Document {
  switch (block["type"]) {
    case "text":
    case "refusal":
      return { type: "input_text", text: readText(block["text"]) ?? readText(block["refusal"]) ?? "" };
    case "image_url":
      return buildImagePart(block["image_url"]);
    case "file":
      return buildFilePart(readRecord(block["file"]));
    default:
      throw refusedBlock(block["type"], param);
  }
}

/** `{url, detail}`, or the bare URL that local servers take. */
function buildImagePart(reference: unknown): Document {
  const { url, detail } = readRecord(reference);
  return {
    type: "input_image",
    image_url: readText(reference) ?? readText(url) ?? "",
    detail: readText(detail) ?? "auto",
  };
}

/** Clients of the chat dialect may send a URL in place of data, which has a separate field here. */
function buildFilePart(file: Document): Document {
  const id = readText(file["file_id"]);
  if (id !== null) return { type: "input_file", file_id: id };
  const data = readText(file["file_data"]) ?? "";
  if (/^https?:\/\//i.test(data)) return { type: "input_file", file_url: data };
  return { type: "input_file", filename: readText(file["filename"]) ?? "document.pdf", file_data: data };
}

function refusedBlock(type: unknown, param: string): GatewayError {
  const name = typeof type === "string" ? type.slice(0, 40) : "none";
  return new GatewayError(
    "unsupported_value",
    `The content block '${param}' is of type "${name}", which this model does not take on OpenAI's Responses API. ` +
      `It takes "text", "image_url" and "file". Leave the block out, or ask another model.`,
    { param },
  );
}
