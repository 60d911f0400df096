import { readRecords, readText } from "../messages-to-chat/fields.ts";
import type { Document } from "../translation.ts";

/**
 * OpenAI's reasoning in a chat message: `reasoning_details` as OpenRouter has them
 * (https://openrouter.ai/docs/agent-sdk/typescript/api-reference/models/reasoningdetailencrypted.md, read 2026-11-28).
 */
const FORMAT = "openai-responses-v1";

/** Returns the summary of a reasoning item as one text; its reasoning text for models without summaries. */
export function formatReasoningText(item: Document): string {
  const parts = readRecords(item["summary"]);
  return (parts.length === 0 ? readRecords(item["content"]) : parts)
    .map(({ text }) => readText(text) ?? "")
    .filter((text) => text !== "")
    .join(PART_BREAK);
}

/** Between two parts of a summary, and between two items. */
export const PART_BREAK = "\n\n";

/** Lists a reasoning item's required fields as details of a chat message. @param index of the item among its like */
export function listDetails(item: Document, index: number): readonly Document[] {
  const data = readText(item["encrypted_content"]);
  if (data === null) return [];
  const summary = readRecords(item["summary"]).length === 0 ? "" : formatReasoningText(item);
  const named = { ...(readText(item["id"]) === null ? {} : { id: item["id"] }), format: FORMAT, index };
  return [
    ...(summary === "" ? [] : [{ type: "reasoning.summary", summary, ...named }]),
    { type: "reasoning.encrypted", data, ...named },
  ];
}

/**
 * Builds the reasoning items of an assistant's message. Reasoning of other providers is omitted: OpenAI only accepts
 * what it has encrypted itself.
 */
export function buildReasoningItems(message: Document): readonly Document[] {
  const own = readRecords(message["reasoning_details"]).filter(({ format }) => format === FORMAT);
  return own.flatMap(({ type, data, id, index }) => {
    if (type !== "reasoning.encrypted" || readText(data) === null) return [];
    const summary = own.find(
      (detail) => detail["type"] === "reasoning.summary" && detail["index"] === index && detail["id"] === id,
    );
    const text = readText(summary?.["summary"]);
    return [
      {
        type: "reasoning",
        ...(readText(id) === null ? {} : { id }),
        summary: text === null ? [] : [{ type: "summary_text", text }],
        encrypted_content: data,
      },
    ];
  });
}
