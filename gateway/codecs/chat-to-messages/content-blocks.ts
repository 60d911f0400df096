import { GatewayError } from "../../core/errors.ts";
import { readBlocks, readRecord, readText } from "../messages-to-chat/fields.ts";
import type { Document } from "../translation.ts";
import { buildFileBlock } from "./file-block.ts";
import { buildImageSource } from "./image-source.ts";

/**
 * Converts the content of a chat message to Anthropic's blocks. Texts without a visible character are dropped, because
 * Anthropic refuses them (docs/dialects.md#chat-request-to-messages); `cache_control` stays in place.
 * @param param path of the content, e.g. `messages[2].content`.
 * @throws GatewayError for media that Claude models do not take, and for unknown types (400).
 */
export function buildContentBlocks(content: unknown, param: string): readonly Document[] {
  const blocks: Document[] = [];
  readBlocks(content).forEach((part, index) => {
    const block = buildContentBlock(part, `${param}[${index}]`);
    if (block === null) return;
    const cache = part["cache_control"];
    blocks.push(cache == null ? block : { ...block, cache_control: cache });
  });
  return blocks;
}

/**
 * Converts the content of instructions, which must be text.
 * @throws GatewayError for other blocks (400).
 */
export function buildTextBlocks(content: unknown, param: string): readonly Document[] {
  readBlocks(content).forEach((part, index) => {
    if (part["type"] === "text" || part["type"] === "refusal") return;
    throw createUnsupported(part["type"], `${param}[${index}]`, 'in instructions. There they take "text" only');
  });
  return buildContentBlocks(content, param);
}

function buildContentBlock(part: Document, param: string): Document | null {
  switch (part["type"]) {
    case "text":
    case "refusal":
      return buildTextBlock(readText(part["text"]) ?? readText(part["refusal"]));
    case "image_url":
      return { type: "image", source: buildImageSource(readUrl(part["image_url"]), `${param}.image_url.url`) };
    case "file":
      return buildFileBlock(readRecord(part["file"]), `${param}.file`);
    default:
      throw createUnsupported(part["type"], param, `here. They take "text", "image_url" and "file"`);
  }
}

function buildTextBlock(text: string | null): Document | null {
  return text === null || text.trim() === "" ? null : { type: "text", text };
}

/** `{url}`, or the bare URL that local servers take. */
function readUrl(reference: unknown): string {
  return readText(reference) ?? readText(readRecord(reference)["url"]) ?? "";
}

function createUnsupported(type: unknown, param: string, where: string): GatewayError {
  const name = typeof type === "string" ? type.slice(0, 40) : "none";
  return new GatewayError(
    "unsupported_value",
    `The content block '${param}' is of type "${name}", which Claude models do not take ${where}. ` +
      "Leave it out, or ask another model.",
    { param },
  );
}
