import { GatewayError } from "../../core/errors.ts";
import { asList, isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";

/** `detail` as the chat API has it; `original`, which newer models know, is the highest of the others. */
const DETAILS: Readonly<Record<string, string>> = { low: "low", high: "high", auto: "auto", original: "high" };

/**
 * Converts content to chat content: a string if it is all text, else blocks.
 * @param joint separator of text parts: parts of a model's text are contiguous, parts of its input are not.
 * @param param the field name for errors.
 * @throws GatewayError for files given by id, because nothing is stored here (400).
 */
export function readContent(value: unknown, joint: string, param: string): string | readonly Document[] {
  if (typeof value === "string") return value;
  const blocks = readBlocks(value, param);
  return blocks.every((block) => block["type"] === "text") ? findText(blocks, joint) : blocks;
}

/** Returns the text of content as one string; other parts are skipped. */
export function readText(value: unknown, joint: string): string {
  if (typeof value === "string") return value;
  const texts = asList(value).map((part) => (isRecord(part) ? (part["text"] ?? part["refusal"]) : null));
  return texts.filter((text) => typeof text === "string").join(joint);
}

function findText(blocks: readonly Document[], joint: string): string {
  return blocks.map((block) => block["text"]).join(joint);
}

/** Content parts as blocks of the chat API; kinds that have no counterpart and no text are left out. */
export function readBlocks(value: unknown, param: string): readonly Document[] {
  return asList(value).flatMap((part, index) => {
    const block = isRecord(part) ? readBlock(part, `${param}[${index}]`) : null;
    return block === null ? [] : [block];
  });
}

function readBlock(part: Document, param: string): Document | null {
  switch (part["type"]) {
    case "input_image":
      return imageBlock(part, param);
    case "input_file":
      return fileBlock(part, param);
    case "input_audio":
      return isRecord(part["input_audio"]) ? { type: "input_audio", input_audio: part["input_audio"] } : null;
    default: {
      const text = part["text"] ?? part["refusal"];
      return typeof text === "string" ? { type: "text", text } : null;
    }
  }
}

function imageBlock(part: Document, param: string): Document {
  const url = part["image_url"];
  if (typeof url !== "string") throw unknownFile(param, part["file_id"], "'image_url' with a URL or a data URL");
  const detail = typeof part["detail"] === "string" ? DETAILS[part["detail"]] : undefined;
  return { type: "image_url", image_url: { url, ...(detail === undefined ? {} : { detail }) } };
}

/** The URL takes the place of data, as OpenRouter documents for its chat API, which has no separate field. */
function fileBlock(part: Document, param: string): Document {
  const data = part["file_data"] ?? part["file_url"];
  if (typeof data !== "string") throw unknownFile(param, part["file_id"], "'file_data' with a data URL");
  const filename = typeof part["filename"] === "string" ? { filename: part["filename"] } : {};
  return { type: "file", file: { ...filename, file_data: data } };
}

function unknownFile(param: string, id: unknown, instead: string): GatewayError {
  const shown = JSON.stringify(String(id).slice(0, 60));
  return new GatewayError(
    "unsupported_value",
    `'${param}.file_id' names the file ${shown}, which is stored at OpenAI and cannot be given to this model. Send ${instead} instead.`,
    { param: `${param}.file_id` },
  );
}
