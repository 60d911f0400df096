import { readFinish } from "../finish.ts";
import type { Document } from "../translation.ts";

/** Anthropic's reason for the end of a message. */
export interface Stop {
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
}

/**
 * Reads the stop reason of a chat choice (docs/dialects.md#chat-response-to-messages). The presence of calls decides
 * between `tool_use` and `end_turn`, because some providers send `stop` after calls (Gemini) and others `tool_calls`
 * without one.
 * @param choice its `finish_reason`, and vLLM's `stop_reason` with the matched sequence.
 */
export function readStop(choice: Document, calls: boolean, sequences: readonly unknown[]): Stop {
  const met = choice["stop_reason"];
  switch (readFinish(choice)) {
    case "length":
      return { stop_reason: "max_tokens", stop_sequence: null };
    case "filtered":
      return { stop_reason: "refusal", stop_sequence: null };
    default:
      if (calls) return { stop_reason: "tool_use", stop_sequence: null };
      if (typeof met === "string" && sequences.includes(met))
        return { stop_reason: "stop_sequence", stop_sequence: met };
      return { stop_reason: "end_turn", stop_sequence: null };
  }
}
