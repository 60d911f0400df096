import { isRecord } from "../../lib/records.ts";
import {
  type Attachment,
  ATTACHMENT_TOKENS,
  bytesOfBase64,
  FRAMING_TOKENS,
  type Message,
  newMessage,
  placeOfUrl,
} from "../conversation/conversation.ts";
import { contentOf, roleOf } from "../conversation/openai-words.ts";
import { Failure, type Fields, invalidType, listOf, missing, textOf } from "../fields.ts";
import { countTokens } from "../tokens.ts";

/** The roles of the dialect, and whom they mean. */
const ROLES: Readonly<Record<string, Message["role"]>> = {
  developer: "system",
  system: "system",
  user: "user",
  assistant: "assistant",
  tool: "tool",
  function: "tool",
};

/**
 * Reads `messages`.
 * @throws Failure (400) when it is missing, empty, or holds something that is no message.
 */
export function messagesOf(value: unknown): Message[] {
  if (value === undefined || value === null) throw missing("messages");
  if (!Array.isArray(value)) throw invalidType("messages", "an array of messages");
  if (value.length === 0) {
    throw new Failure(400, "Invalid 'messages': empty array. Expected an array with minimum length 1.", {
      param: "messages",
      code: "empty_array",
    });
  }
  return value.map((message: unknown, index) => messageOf(message, `messages[${index}]`));
}

function messageOf(value: unknown, param: string): Message {
  if (!isRecord(value)) throw invalidType(param, "an object");
  const role = roleOf(value["role"], ROLES, `${param}.role`);
  const content = contentOf(value["content"] ?? [], `${param}.content`, blockText, attachmentOf);
  const calls = callsOf(value["tool_calls"]);
  const responses = textOf(value["tool_call_id"]) ?? null;
  if (value["role"] === "tool" && responses === null) throw missing(`${param}.tool_call_id`);
  const called = calls.reduce((sum, call) => sum + call.tokens, 0);
  const named = value["name"] === undefined ? 0 : 1;
  return { ...newMessage(role, content, named + called), calls, callId: responses };
}

function blockText(block: Fields): string | undefined {
  if (block["type"] === "text") return textOf(block["text"]) ?? "";
  if (block["type"] === "refusal") return textOf(block["refusal"]) ?? "";
  return undefined;
}

function callsOf(value: unknown): { id: string; name: string; tokens: number }[] {
  return listOf(value)
    .filter(isRecord)
    .map((call) => {
      const detail = isRecord(call["function"]) ? call["function"] : isRecord(call["custom"]) ? call["custom"] : {};
      const name = textOf(detail["name"]) ?? "";
      const input = textOf(detail["arguments"]) ?? textOf(detail["input"]) ?? "";
      return { id: textOf(call["id"]) ?? "", name, tokens: FRAMING_TOKENS + countTokens(name) + countTokens(input) };
    });
}

/**
 * Reads a content block that is not text.
 * @throws Failure (400) when an image or an audio block lacks what it is about.
 */
function attachmentOf(block: Fields, param: string): Attachment {
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
