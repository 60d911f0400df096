import type { Units } from "../../core/models/model.ts";
import { buildChatUsage } from "../chat-to-messages/usage.ts";
import { readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import type { Document, TranslationContext } from "../translation.ts";
import { PART_BREAK, listDetails, formatReasoningText } from "./reasoning.ts";

/** A whole response of OpenAI's as a chat completion (docs/dialects.md#responses-response-to-chat). */
export function buildChatCompletion(response: Document, context: TranslationContext, units: Units): Document {
  const texts: string[] = [];
  const refusals: string[] = [];
  const annotations: Document[] = [];
  const summaries: string[] = [];
  const details: Document[] = [];
  const calls: Document[] = [];
  let thoughts = 0;
  for (const item of readRecords(response["output"])) {
    if (item["type"] === "reasoning") {
      summaries.push(formatReasoningText(item));
      details.push(...listDetails(item, thoughts));
      thoughts += 1;
    } else if (item["type"] === "message") {
      texts.push(formatContentText(item, "text"));
      refusals.push(formatContentText(item, "refusal"));
      annotations.push(...readAnnotations(item));
    } else if (isCall(item)) calls.push(buildToolCall(item, readArguments(item)));
  }
  const content = joinParts(texts);
  const thinking = joinParts(summaries);
  const message = {
    role: "assistant",
    content: content === "" && calls.length > 0 ? null : content,
    refusal: readText(joinParts(refusals)),
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(thinking === "" ? {} : { reasoning_content: thinking }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    id: `chatcmpl-${context.newId()}`,
    object: "chat.completion",
    created: context.now,
    model: context.publicModel,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(response, calls.length > 0) }],
    usage: buildChatUsage(units),
    ...readTier(response),
  };
}

function joinParts(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(PART_BREAK);
}

/** Returns the text of a message, or of a refusal. */
export function formatContentText(item: Document, field: "text" | "refusal"): string {
  return readRecords(item["content"])
    .map((part) => readText(part[field]) ?? "")
    .join("");
}

function readAnnotations(item: Document): readonly Document[] {
  return readRecords(item["content"]).flatMap((part) => readRecords(part["annotations"]).flatMap(readAnnotation));
}

/** Citations are nested one level deeper in the chat dialect, which has no other kind of annotation. */
export function readAnnotation(annotation: Document): readonly Document[] {
  const { type, ...cited } = annotation;
  return type === "url_citation" ? [{ type, url_citation: cited }] : [];
}

/** Whether an item is a call of one of the client's tools; others run at OpenAI. */
export function isCall({ type, name }: Document): boolean {
  return (type === "function_call" || type === "custom_tool_call") && readText(name) !== null;
}

/** Returns the arguments of a function, or the text of a custom tool. */
export function readArguments(item: Document): string {
  if (item["type"] === "custom_tool_call") return readText(item["input"]) ?? "";
  return readText(item["arguments"]) ?? "{}";
}

export function buildToolCall(item: Document, given: string): Document {
  const id = readText(item["call_id"]) ?? readText(item["id"]) ?? "";
  const { name } = item;
  if (item["type"] === "custom_tool_call") return { id, type: "custom", custom: { name, input: given } };
  return { id, type: "function", function: { name, arguments: given } };
}

/** `service_tier`, which decides on prices. */
export function readTier({ service_tier: tier }: Document): Document {
  return readText(tier) === null ? {} : { service_tier: tier };
}

/** @param hasCalls whether the client was shown one */
export function finishReason({ status, incomplete_details: details }: Document, hasCalls: boolean): string {
  if (status === "incomplete") return readRecord(details)["reason"] === "content_filter" ? "content_filter" : "length";
  return hasCalls ? "tool_calls" : "stop";
}
