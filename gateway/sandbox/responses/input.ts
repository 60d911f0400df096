import { isRecord } from "../../lib/records.ts";
import {
  type Attachment,
  ATTACHMENT_TOKENS,
  bytesOfBase64,
  type Message,
  placeOfUrl,
} from "../conversation/conversation.ts";
import { type Fields, invalidType, invalidValue, missing, textOf } from "../fields.ts";
import { countTokens } from "../tokens.ts";

const ROLES: Readonly<Record<string, Message["role"]>> = {
  developer: "system",
  system: "system",
  user: "user",
  assistant: "assistant",
};
/** What the format adds to each item for its role and its ends. */
const FRAMING_TOKENS = 3;

interface Content {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/**
 * Reads `instructions` and `input`. Kinds of items that say nothing to a model (references, searches) are left out.
 * @throws Failure (400) for what is missing or of the wrong kind
 */
export function inputOf(body: Fields): Message[] {
  const { input } = body;
  const instructions = textOf(body["instructions"]);
  const first = instructions === undefined ? [] : [messageOf("system", { text: instructions, attachments: [] })];
  if (input === undefined || input === null) throw missing("input");
  if (typeof input === "string") return [...first, messageOf("user", { text: input, attachments: [] })];
  if (!Array.isArray(input)) throw invalidType("input", "a string or an array of items");
  return [...first, ...input.flatMap((item: unknown, index) => itemOf(item, `input[${index}]`))];
}

function itemOf(item: unknown, param: string): Message[] {
  if (!isRecord(item)) throw invalidType(param, "an object");
  switch (item["type"] ?? "message") {
    case "message":
      return [messageOf(roleOf(item["role"], `${param}.role`), contentOf(item["content"], `${param}.content`))];
    case "function_call":
      return [callOf(item, textOf(item["arguments"]) ?? "", param)];
    case "custom_tool_call":
      return [callOf(item, textOf(item["input"]) ?? "", param)];
    case "function_call_output":
    case "custom_tool_call_output": {
      const answers = textOf(item["call_id"]);
      if (answers === undefined) throw missing(`${param}.call_id`);
      return [{ ...messageOf("tool", contentOf(item["output"], `${param}.output`)), answers }];
    }
    default:
      return [];
  }
}

function messageOf(role: Message["role"], content: Content): Message {
  const attached = content.attachments.reduce((sum, attachment) => sum + attachment.tokens, 0);
  const tokens = FRAMING_TOKENS + countTokens(content.text) + attached;
  return { role, ...content, calls: [], answers: null, tokens };
}

function callOf(item: Fields, input: string, param: string): Message {
  const id = textOf(item["call_id"]);
  const name = textOf(item["name"]);
  if (id === undefined) throw missing(`${param}.call_id`);
  if (name === undefined) throw missing(`${param}.name`);
  const tokens = FRAMING_TOKENS + countTokens(name) + countTokens(input);
  return { role: "assistant", text: "", attachments: [], calls: [{ id, name }], answers: null, tokens };
}

function roleOf(value: unknown, param: string): Message["role"] {
  if (value === undefined) throw missing(param);
  const role = typeof value === "string" && Object.hasOwn(ROLES, value) ? ROLES[value] : undefined;
  if (role !== undefined) return role;
  const known = Object.keys(ROLES).map((name) => `'${name}'`);
  throw invalidValue(param, `supported values are ${known.join(", ")}.`);
}

function contentOf(value: unknown, param: string): Content {
  if (typeof value === "string") return { text: value, attachments: [] };
  if (value === undefined || value === null) throw missing(param);
  if (!Array.isArray(value)) throw invalidType(param, "a string or an array of content parts");
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  value.forEach((part: unknown, index) => {
    if (!isRecord(part)) throw invalidType(`${param}[${index}]`, "an object");
    const text = textOf(part["text"]) ?? textOf(part["refusal"]);
    if (text === undefined) attachments.push(attachmentOf(part, `${param}[${index}]`));
    else texts.push(text);
  });
  return { text: texts.join("\n"), attachments };
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
