import { isRecord } from "../../lib/records.ts";
import {
  type Attachment,
  ATTACHMENT_TOKENS,
  bytesOfBase64,
  type Content,
  type Message,
  newMessage,
  placeOfUrl,
} from "../conversation/conversation.ts";
import { contentOf, roleOf } from "../conversation/openai-words.ts";
import { type Fields, invalidType, missing, textOf } from "../fields.ts";
import { countTokens } from "../tokens.ts";

const ROLES: Readonly<Record<string, Message["role"]>> = {
  developer: "system",
  system: "system",
  user: "user",
  assistant: "assistant",
};

/**
 * Reads `instructions` and `input`. Kinds of items that say nothing to a model (references, searches) are left out.
 * @throws Failure (400) for what is missing or of the wrong kind
 */
export function inputOf(body: Fields): Message[] {
  const { input } = body;
  const instructions = textOf(body["instructions"]);
  const first = instructions === undefined ? [] : [newMessage("system", { text: instructions, attachments: [] })];
  if (input === undefined || input === null) throw missing("input");
  if (typeof input === "string") return [...first, newMessage("user", { text: input, attachments: [] })];
  if (!Array.isArray(input)) throw invalidType("input", "a string or an array of items");
  return [...first, ...input.flatMap((item: unknown, index) => itemOf(item, `input[${index}]`))];
}

function itemOf(item: unknown, param: string): Message[] {
  if (!isRecord(item)) throw invalidType(param, "an object");
  switch (item["type"] ?? "message") {
    case "message":
      return [newMessage(roleOf(item["role"], ROLES, `${param}.role`), partsOf(item["content"], `${param}.content`))];
    case "function_call":
      return [callOf(item, textOf(item["arguments"]) ?? "", param)];
    case "custom_tool_call":
      return [callOf(item, textOf(item["input"]) ?? "", param)];
    case "function_call_output":
    case "custom_tool_call_output": {
      const responses = textOf(item["call_id"]);
      if (responses === undefined) throw missing(`${param}.call_id`);
      return [{ ...newMessage("tool", partsOf(item["output"], `${param}.output`)), callId: responses }];
    }
    default:
      return [];
  }
}

function callOf(item: Fields, input: string, param: string): Message {
  const id = textOf(item["call_id"]);
  const name = textOf(item["name"]);
  if (id === undefined) throw missing(`${param}.call_id`);
  if (name === undefined) throw missing(`${param}.name`);
  const message = newMessage("assistant", { text: "", attachments: [] }, countTokens(name) + countTokens(input));
  return { ...message, calls: [{ id, name }] };
}

function partsOf(value: unknown, param: string): Content {
  if (value === undefined || value === null) throw missing(param);
  return contentOf(value, param, (part) => textOf(part["text"]) ?? textOf(part["refusal"]), attachmentOf);
}

function attachmentOf(part: Fields, param: string): Attachment {
  const type = textOf(part["type"]);
  switch (type) {
    case "input_image": {
      const url = textOf(part["image_url"]);
      const place = url === undefined ? textOf(part["file_id"]) : placeOfUrl(url);
      if (place === undefined) throw missing(`${param}.image_url`);
      const tokens = part["detail"] === "low" ? ATTACHMENT_TOKENS.smallImage : ATTACHMENT_TOKENS.image;
      return { description: `an image (${place})`, tokens };
    }
    case "input_file":
      return { description: `a file (${fileOf(part)})`, tokens: ATTACHMENT_TOKENS.file };
    case "input_audio":
      return { description: "an audio clip", tokens: ATTACHMENT_TOKENS.audio };
    case undefined:
      throw missing(`${param}.type`);
    default:
      return { description: `a content part of type ${type.slice(0, 40)}`, tokens: ATTACHMENT_TOKENS.unknown };
  }
}

function fileOf(part: Fields): string {
  const url = textOf(part["file_url"]);
  const name = (textOf(part["filename"]) ?? textOf(part["file_id"]) ?? url ?? "no name").slice(0, 120);
  const data = textOf(part["file_data"]);
  return data === undefined ? name : `${name}, ${bytesOfBase64(data.slice(data.indexOf(",") + 1))} bytes`;
}
