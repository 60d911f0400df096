import { GatewayError } from "../../core/errors.ts";
import { asList } from "../../lib/records.ts";
import { readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import { messagesToChat } from "../messages-to-chat/translate.ts";
import { chainTranslations } from "../translation.ts";
import type { Document, Translate } from "../translation.ts";
import { buildGeminiResponse } from "./response.ts";
import { GeminiStream } from "./stream.ts";

/** Fields of chat that the form has under the same name. */
const OF_CHAT = ["seed", "presence_penalty", "frequency_penalty", "response_format"] as const;

/**
 * Translates between a client with Google's dialect and a chat provider, by way of Anthropic's format, whose
 * translation covers tools, thinking and media (docs/dialects.md#gemini-request-to-chat).
 * @param body in the format of `buildMessagesForm`
 * @throws GatewayError for features that only Google has (400)
 */
export const geminiToChat: Translate = (body, context) => {
  refuseGooglesOwn(body);
  const inner = messagesToChat(body, context);
  const request = { model: context.publicModel, showsThoughts: body["include_thoughts"] === true };
  const outer = {
    body,
    response: (message: Document, units: Parameters<typeof buildGeminiResponse>[2]) =>
      buildGeminiResponse(message, request, units),
    stream: () => new GeminiStream(request),
  };
  const own = OF_CHAT.filter((name) => body[name] !== undefined).map((name) => [name, body[name]] as const);
  return { ...chainTranslations(outer, inner), body: { ...inner.body, ...Object.fromEntries(own) } };
};

function refuseGooglesOwn(body: Document): void {
  if (body["cached_content"] !== undefined)
    throw refuse("cachedContent", "names content that is stored at Google. Send the content itself");
  if (Number(body["n"] ?? 1) > 1)
    throw refuse("generationConfig.candidateCount", "asks for several candidates. Ask for one");
  const type = readText(body["response_mime_type"]);
  if (type !== null)
    throw refuse("generationConfig.responseMimeType", `is ${JSON.stringify(type.slice(0, 60))}. Send application/json`);
  const modalities = asList(body["modalities"]);
  if (modalities.length > 0 && !modalities.includes("text"))
    throw refuse("generationConfig.responseModalities", "has no TEXT. Ask for TEXT");
  for (const turn of readRecords(body["messages"])) {
    for (const block of readRecords(turn["content"])) {
      refuseAddress(block);
      for (const inner of asList(block["content"])) refuseAddress(readRecord(inner));
    }
  }
}

function refuseAddress(block: Document): void {
  const source = readRecord(block["source"]);
  if (block["type"] !== "document" || source["type"] !== "url") return;
  const url = JSON.stringify((readText(source["url"]) ?? "").slice(0, 100));
  throw refuse("contents", `has a file by its address (${url}). Send it as 'inlineData'`);
}

function refuse(param: string, what: string): GatewayError {
  return new GatewayError(
    "unsupported_value",
    `'${param}' ${what}, or ask one of Google's models: the provider of this one cannot be asked for it.`,
    { param },
  );
}
