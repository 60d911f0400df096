import type { Units } from "../../core/models/model.ts";
import { readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import { cleanToolId } from "../messages-to-chat/tool-ids.ts";
import type { ToolNames } from "../messages-to-chat/tool-names.ts";
import type { Document, TranslationContext } from "../translation.ts";
import { finishReason } from "./finish-reason.ts";
import { buildChatUsage } from "./usage.ts";

/** Facts of the request that the response's translation needs. */
export interface RequestFacts {
  readonly context: TranslationContext;
  readonly names: ToolNames;
  /** The tool whose input is the response; null: the response is text. */
  readonly outputTool: string | null;
}

/**
 * Converts a message of Anthropic's to a chat completion. Thinking is in `reasoning_content`; with its signature it is
 * also in `thinking_blocks`, so that clients that return messages unchanged keep Anthropic's thinking across tool
 * calls.
 */
export function buildChatResponse(
  response: Document,
  { context, names, outputTool }: RequestFacts,
  units: Units,
): Document {
  let content = "";
  let reasoning = "";
  const signed: Document[] = [];
  const calls: Document[] = [];
  for (const block of readRecords(response["content"])) {
    if (block["type"] === "text") content += readText(block["text"]) ?? "";
    else if (block["type"] === "thinking") reasoning += readText(block["thinking"]) ?? "";
    else if (block["type"] === "tool_use") {
      const input = JSON.stringify(readRecord(block["input"]));
      if (block["name"] === outputTool) content += input;
      else calls.push(buildToolCall(block, input, names));
    }
    const signedBlock = signedThinking(block);
    if (signedBlock !== null) signed.push(signedBlock);
  }
  const message = {
    role: "assistant",
    content: content === "" && calls.length > 0 ? null : content,
    refusal: readText(readRecord(response["stop_details"])["explanation"]),
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(signed.length === 0 ? {} : { thinking_blocks: signed }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    id: `chatcmpl-${context.newId()}`,
    object: "chat.completion",
    created: context.now,
    model: context.publicModel,
    choices: [
      { index: 0, message, logprobs: null, finish_reason: finishReason(response["stop_reason"], calls.length > 0) },
    ],
    usage: buildChatUsage(units),
  };
}

function buildToolCall(block: Document, input: string, names: ToolNames): Document {
  return {
    id: cleanToolId(readText(block["id"]) ?? ""),
    type: "function",
    function: { name: names.toClient(readText(block["name"]) ?? ""), arguments: input },
  };
}

/** Returns the thinking block if Anthropic would accept it back, else null. */
export function signedThinking(block: Document): Document | null {
  const signature = readText(block["signature"]);
  if (block["type"] === "thinking" && signature !== null) {
    return { type: "thinking", thinking: readText(block["thinking"]) ?? "", signature };
  }
  const data = readText(block["data"]);
  return block["type"] === "redacted_thinking" && data !== null ? { type: "redacted_thinking", data } : null;
}
