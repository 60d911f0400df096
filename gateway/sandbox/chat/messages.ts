import { Failure, invalidType, invalidValue, missing } from "../failure.ts";
import { isRecord } from "../../lib/records.ts";
import { listOf, textOf, type Fields } from "../fields.ts";
import { countTokens } from "../tokens.ts";
import { attachmentOf, type Attachment } from "./attachments.ts";

/** One message of the request, as far as the sandbox reads it. */
export interface ChatMessage {
  readonly role: string;
  /** Its text blocks, one per line. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Of an assistant's message: the ids of its tool calls and whom they called. */
  readonly calls: readonly { readonly id: string; readonly name: string }[];
  /** Of a tool's message: the call that it answers. */
  readonly answers: string | null;
  /** What it adds to the prompt, framing included. */
  readonly tokens: number;
}

const ROLES = ["developer", "system", "user", "assistant", "tool", "function"];
/** What OpenAI's chat format adds to each message for its role and its ends. */
const FRAMING_TOKENS = 3;

/**
 * Reads `messages`.
 * @throws Failure (400) when it is missing, empty, or holds something that is no message.
 */
export function messagesOf(value: unknown): ChatMessage[] {
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

function messageOf(value: unknown, param: string): ChatMessage {
  if (!isRecord(value)) throw invalidType(param, "an object");
  const role = roleOf(value["role"], `${param}.role`);
  const content = contentOf(value["content"], `${param}.content`);
  const calls = callsOf(value["tool_calls"]);
  const answers = textOf(value["tool_call_id"]) ?? null;
  if (role === "tool" && answers === null) throw missing(`${param}.tool_call_id`);
  const attached = content.attachments.reduce((sum, attachment) => sum + attachment.tokens, 0);
  const called = calls.reduce((sum, call) => sum + call.tokens, 0);
  const named = value["name"] === undefined ? 0 : 1;
  const tokens = FRAMING_TOKENS + named + countTokens(content.text) + attached + called;
  return { role, text: content.text, attachments: content.attachments, calls, answers, tokens };
}

function roleOf(value: unknown, param: string): string {
  if (value === undefined) throw missing(param);
  const role = textOf(value);
  if (role === undefined || !ROLES.includes(role)) {
    throw invalidValue(param, `supported values are ${ROLES.map((known) => `'${known}'`).join(", ")}.`);
  }
  return role;
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
