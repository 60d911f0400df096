import { readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import type { Document } from "../translation.ts";
import { buildInputContent } from "./content-parts.ts";
import { buildReasoningItems } from "./reasoning.ts";

/**
 * A chat history as items. Instructions stay in their places as developer messages: in `instructions` the word "json",
 * which `json_object` requires, would not count (https://github.com/BigDawnGhost/wenyi/pull/66, read 2026-11-28).
 * @throws GatewayError for content that the Responses API does not take (400).
 */
export function buildInputItems(messages: unknown): readonly Document[] {
  const history = readRecords(messages);
  const calls = history.flatMap((message) => readRecords(message["tool_calls"]));
  const customIds = new Set(calls.filter(({ type }) => type === "custom").map(({ id }) => id));
  return history.flatMap((message, index) => {
    const param = `messages[${index}].content`;
    switch (message["role"]) {
      case "system":
      case "developer":
        return buildInstructions(buildInputContent(message["content"], param));
      case "assistant":
        return buildAssistantItems(message);
      case "tool":
        return [callOutput(message, customIds, param)];
      default:
        return [spoken("user", buildInputContent(message["content"], param))];
    }
  });
}

function buildInstructions(content: string | readonly Document[]): readonly Document[] {
  return content === "" ? [] : [spoken("developer", content)];
}

function spoken(role: string, content: string | readonly Document[]): Document {
  return { type: "message", role, content };
}

/** Reasoning comes first: OpenAI refuses it without the message or the call that followed from it. */
function buildAssistantItems(message: Document): readonly Document[] {
  const content = buildOutputParts(message);
  const parts = [
    ...(content.length === 0 ? [] : [spoken("assistant", content)]),
    ...readRecords(message["tool_calls"]).flatMap(callItem),
  ];
  return parts.length === 0 ? [] : [...buildReasoningItems(message), ...parts];
}

function buildOutputParts({ content, refusal }: Document): readonly Document[] {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : readRecords(content);
  const output = parts.flatMap((part) => buildOutputPart(readText(part["text"]), readText(part["refusal"])));
  return output.length === 0 ? buildOutputPart(null, readText(refusal)) : output;
}

function buildOutputPart(text: string | null, refusal: string | null): readonly Document[] {
  if (text !== null) return [{ type: "output_text", text }];
  return refusal === null ? [] : [{ type: "refusal", refusal }];
}

function callItem(call: Document): readonly Document[] {
  const call_id = readText(call["id"]) ?? "";
  if (call["type"] === "custom") {
    const { name, input } = readRecord(call["custom"]);
    return [{ type: "custom_tool_call", call_id, name, input: readText(input) ?? "" }];
  }
  const { name, arguments: given } = readRecord(call["function"]);
  return readText(name) === null ? [] : [{ type: "function_call", call_id, name, arguments: readText(given) ?? "{}" }];
}

function callOutput(message: Document, customIds: ReadonlySet<unknown>, param: string): Document {
  const call_id = readText(message["tool_call_id"]) ?? "";
  const isCustom = customIds.has(call_id);
  return {
    type: isCustom ? "custom_tool_call_output" : "function_call_output",
    call_id,
    output: buildInputContent(message["content"], param),
  };
}
