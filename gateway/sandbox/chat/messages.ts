import { isRecord } from "../../lib/records.ts";
import {
  type Attachment,
  ATTACHMENT_TOKENS,
  bytesOfBase64,
  type Message,
  placeOfUrl,
} from "../conversation/conversation.ts";
import { Failure, type Fields, invalidType, invalidValue, listOf, missing, textOf } from "../fields.ts";
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
/** What OpenAI's chat format adds to each message for its role and its ends. */
const FRAMING_TOKENS = 3;

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
  const role = roleOf(value["role"], `${param}.role`);
  const content = contentOf(value["content"], `${param}.content`);
  const calls = callsOf(value["tool_calls"]);
  const answers = textOf(value["tool_call_id"]) ?? null;
  if (value["role"] === "tool" && answers === null) throw missing(`${param}.tool_call_id`);
  const attached = content.attachments.reduce((sum, attachment) => sum + attachment.tokens, 0);
  const called = calls.reduce((sum, call) => sum + call.tokens, 0);
  const named = value["name"] === undefined ? 0 : 1;
  const tokens = FRAMING_TOKENS + named + countTokens(content.text) + attached + called;
  return { role, text: content.text, attachments: content.attachments, calls, answers, tokens };
}

function roleOf(value: unknown, param: string): Message["role"] {
  if (value === undefined) throw missing(param);
  const role = typeof value === "string" && Object.hasOwn(ROLES, value) ? ROLES[value] : undefined;
  if (role !== undefined) return role;
  const known = Object.keys(ROLES).map((name) => `'${name}'`);
  throw invalidValue(param, `supported values are ${known.join(", ")}.`);
}

function contentOf(value: unknown, param: string): { text: string; attachments: Attachment[] } {
  if (value === undefined || value === null) return { text: "", attachments: [] };
  if (typeof value === "string") return { text: value, attachments: [] };
  if (!Array.isArray(value)) throw invalidType(param, "a string or an array of content parts");
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  value.forEach((block: unknown, index) => {
    if (!isRecord(block)) throw invalidType(`${param}[${index}]`, "an object");
    const text = blockText(block);
    if (text === undefined) attachments.push(attachmentOf(block, `${param}[${index}]`));
    else texts.push(text);
  });
  return { text: texts.join("\n"), attachments };
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
