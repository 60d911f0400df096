import { writeCamelCase } from "../../../../gateway/codecs/gemini-to-chat/camel-case.ts";
import { buildMessagesForm } from "../../../../gateway/codecs/gemini-to-chat/request.ts";
import { geminiToChat } from "../../../../gateway/codecs/gemini-to-chat/translate.ts";
import type { Document, Translation } from "../../../../gateway/codecs/translation.ts";
import { geminiRequestSchema } from "../../../../gateway/contract/gemini.ts";
import { validate } from "../../../../gateway/core/validation.ts";
import { UNKNOWN_MODEL, contextFor } from "./translating.ts";

export const ASKED: Document = { contents: [{ role: "user", parts: [{ text: "Hi" }] }] };

/** A request of Google's, checked as the gateway does, on its way into the chat dialect. */
export function translateGemini(body: Document, model = UNKNOWN_MODEL): Translation {
  const whole = writeCamelCase({ ...ASKED, ...body, model });
  return geminiToChat(buildMessagesForm(validate(geminiRequestSchema, whole)), contextFor(model));
}

/** A Gemini client's view of a response: its texts, thoughts and calls, however they were cut. */
export function assembleGemini(chunks: readonly Document[]): Document {
  let text = "";
  let thoughts = "";
  const calls: unknown[] = [];
  const signatures: unknown[] = [];
  let last: Document = {};
  for (const chunk of chunks) {
    const [candidate = {}] = chunk["candidates"] as readonly Document[];
    for (const part of (candidate["content"] as { parts: readonly Document[] }).parts) {
      if (part["functionCall"] !== undefined) calls.push(part["functionCall"]);
      else if (part["thought"] === true) thoughts += part["text"] as string;
      else text += part["text"] as string;
      if (part["thoughtSignature"] !== undefined) signatures.push(part["thoughtSignature"]);
    }
    last = { finishReason: candidate["finishReason"], usageMetadata: chunk["usageMetadata"] };
  }
  return { text, thoughts, calls, signatures, ...last };
}
