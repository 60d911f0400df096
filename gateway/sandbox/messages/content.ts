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
import { withoutSections } from "../conversation/prompt.ts";
import { type Fields, textOf } from "../fields.ts";
import { invalid, required } from "./failure.ts";
import { countTokens } from "../tokens.ts";

const ROLES: readonly string[] = ["user", "assistant", "system"];

/**
 * Reads `system` and `messages`. A message of the user that brings results becomes one message for each result, and one
 * for what else it says; instructions may stand between the turns (docs/clients.md#claude-code).
 * @throws Failure (400) in Anthropic's words
 */
export function messagesOf(body: Fields): Message[] {
  const { messages } = body;
  if (messages === undefined || messages === null) throw required("messages");
  if (!Array.isArray(messages)) throw invalid("messages", "Input should be a valid array");
  if (messages.length === 0) throw invalid("messages", "at least one message is required");
  const system = body["system"];
  const first = system === undefined || system === null ? [] : [messageOf("system", partsOf(system, "system"))];
  return [...first, ...messages.flatMap((message: unknown, index) => turnOf(message, `messages.${index}`))];
}

function turnOf(message: unknown, path: string): Message[] {
  if (!isRecord(message)) throw invalid(path, "Input should be a valid dictionary");
  const { role, content } = message;
  if (role === undefined) throw required(`${path}.role`);
  if (typeof role !== "string" || !ROLES.includes(role)) {
    throw invalid(path, "Unexpected role; the Messages API accepts 'user', 'assistant' and 'system'");
  }
  if (content === undefined || content === null) throw required(`${path}.content`);
  const parts = partsOf(content, `${path}.content`);
  if (role !== "user") return [messageOf(role === "system" ? "system" : "assistant", parts)];
  const others = withoutSections(parts.text) !== "" || parts.attachments.length > 0;
  return [...parts.results, ...(parts.results.length === 0 || others ? [messageOf("user", parts)] : [])];
}

interface Parts {
  readonly text: string;
  readonly attachments: Attachment[];
  readonly calls: { id: string; name: string }[];
  readonly results: Message[];
  /** Of what is neither text nor attached: thinking and the input of calls. */
  readonly otherTokens: number;
}

function messageOf(role: Message["role"], parts: Parts): Message {
  return { ...newMessage(role, parts, parts.otherTokens), calls: parts.calls };
}

function partsOf(content: unknown, path: string): Parts {
  if (typeof content === "string") return { text: content, attachments: [], calls: [], results: [], otherTokens: 0 };
  if (!Array.isArray(content)) throw invalid(path, "Input should be a valid string or a list of content blocks");
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  const calls: { id: string; name: string }[] = [];
  const results: Message[] = [];
  let otherTokens = 0;
  content.forEach((block: unknown, index) => {
    const place = `${path}.${index}`;
    if (!isRecord(block)) throw invalid(place, "Input should be a valid dictionary");
    switch (block["type"]) {
      case undefined:
        throw required(`${place}.type`);
      case "text":
        texts.push(needed(block, "text", place));
        break;
      case "thinking":
        otherTokens += countTokens(needed(block, "thinking", place));
        break;
      case "tool_use":
        calls.push({ id: needed(block, "id", place), name: needed(block, "name", place) });
        otherTokens += FRAMING_TOKENS + countTokens(JSON.stringify(block["input"] ?? {}));
        break;
      case "tool_result":
        results.push(resultOf(block, place));
        break;
      default:
        attachments.push(attachmentOf(block, place));
    }
  });
  return { text: texts.join("\n"), attachments, calls, results, otherTokens };
}

function resultOf(block: Fields, path: string): Message {
  const responses = needed(block, "tool_use_id", path);
  const parts = partsOf(block["content"] ?? "", `${path}.content`);
  return { ...messageOf("tool", parts), callId: responses };
}

function needed(block: Fields, name: string, path: string): string {
  const value = textOf(block[name]);
  if (value === undefined) throw required(`${path}.${String(block["type"])}.${name}`);
  return value;
}

function attachmentOf(block: Fields, path: string): Attachment {
  const type = String(block["type"]).slice(0, 40);
  switch (type) {
    case "image":
      return { description: `an image (${sourceOf(block, path)})`, tokens: ATTACHMENT_TOKENS.image };
    case "document":
      return { description: `a document (${sourceOf(block, path)})`, tokens: ATTACHMENT_TOKENS.file };
    case "tool_reference":
      return { description: `the tool ${String(block["tool_name"]).slice(0, 128)}`, tokens: ATTACHMENT_TOKENS.unknown };
    default:
      return { description: `a content block of type ${type}`, tokens: ATTACHMENT_TOKENS.unknown };
  }
}

function sourceOf(block: Fields, path: string): string {
  const source = block["source"];
  if (!isRecord(source)) throw required(`${path}.${String(block["type"])}.source`);
  const url = textOf(source["url"]);
  if (url !== undefined) return placeOfUrl(url);
  const data = textOf(source["data"]);
  if (data === undefined) return (textOf(source["file_id"]) ?? "no data").slice(0, 120);
  const bytes = source["type"] === "base64" ? bytesOfBase64(data) : Buffer.byteLength(data);
  return `${textOf(source["media_type"]) ?? "no media type"}, ${bytes} bytes`;
}
