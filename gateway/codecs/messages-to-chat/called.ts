import { isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";
import { readNumber, readRecord, readRecords, readText } from "./fields.ts";

/** A call of a chat message, or a part of one in a delta; missing or empty fields are null. */
export interface Called {
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: string;
  /** Gemini's, which has to come back with the call (docs/providers/gemini.md#layer-for-openai-clients). */
  readonly signature: string | null;
}

/** The calls of a message or a delta; the deprecated `function_call` counts as one. */
export function findCalled(message: Document): readonly Called[] {
  const calls = readRecords(message["tool_calls"]).map(readCall);
  const single = message["function_call"];
  return isRecord(single) ? [...calls, readCall({ index: 0, function: single })] : calls;
}

function readCall(call: Document): Called {
  const declared = readRecord(call["function"]);
  const given = declared["arguments"];
  return {
    index: readNumber(call["index"]),
    id: readText(call["id"]),
    name: readText(declared["name"]),
    // Some servers send the object itself (Ollama's own form).
    arguments: isRecord(given) ? JSON.stringify(given) : (readText(given) ?? ""),
    signature: readText(readRecord(readRecord(call["extra_content"])["google"])["thought_signature"]),
  };
}
