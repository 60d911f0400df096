import type { Units } from "../../core/models/model.ts";
import { carry } from "../carried-thinking.ts";
import type { Document, TranslationContext } from "../translation.ts";
import { findCalled } from "./called.ts";
import { ToolUseIds } from "./tool-ids.ts";
import { readRecord, readRecords } from "./fields.ts";
import { readMessage } from "./spoken.ts";
import { readStop } from "./stop.ts";
import { parsedArguments } from "./tool-arguments.ts";
import type { ToolNames } from "./tool-names.ts";
import { buildMessagesUsage } from "./usage.ts";

/** Facts of the request that the response's translation needs. */
export interface RequestFacts {
  readonly context: TranslationContext;
  readonly names: ToolNames;
  readonly stopSequences: readonly unknown[];
}

/**
 * Converts a chat completion to a message of Anthropic's (docs/dialects.md#chat-response-to-messages); an empty one has
 * no content.
 */
export function buildMessageResponse(response: Document, request: RequestFacts, units: Units): Document {
  const head = createEmptyMessage(request.context);
  const choice = findFirstChoice(response);
  const message = readRecord(choice["message"]);
  const { thinking, carried, text: words, refusal } = readMessage(message);
  const signature = carry(carried);
  const text = words + refusal;
  const calls = buildToolUses(message, request);
  const { stop_reason, stop_sequence } = readStop(choice, calls.length > 0, request.stopSequences);
  return {
    ...head,
    content: [
      ...(thinking + signature === "" ? [] : [{ type: "thinking", thinking, signature }]),
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...calls,
    ],
    stop_reason: refusal === "" ? stop_reason : "refusal",
    stop_sequence,
    usage: buildMessagesUsage(units),
  };
}

/** Builds the fields of a message that are known at the start. */
export function createEmptyMessage(context: TranslationContext): Document {
  return {
    id: `msg_${context.newId()}`,
    type: "message",
    role: "assistant",
    model: context.publicModel,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

/** A Messages client can have one response only: the first of several. */
export function findFirstChoice(response: Document): Document {
  return readRecords(response["choices"]).find((choice) => (choice["index"] ?? 0) === 0) ?? {};
}

/** Calls without a name are dropped, because clients could not run them. */
function buildToolUses(message: Document, { context, names }: RequestFacts): readonly Document[] {
  const ids = new ToolUseIds(context);
  return findCalled(message).flatMap((call) =>
    call.name === null
      ? []
      : [
          {
            type: "tool_use",
            id: ids.shown(call),
            name: names.toClient(call.name),
            input: parsedArguments(call.arguments),
          },
        ],
  );
}
