/**
 * `finish_reason` by `stop_reason` (docs/dialects.md#messages-stream-to-chat); all others, and `pause_turn`, become
 * `stop`.
 */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ["tool_use", "tool_calls"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "content_filter"],
]);

/** @param calls whether the client was shown a call: the tool whose input is the response does not count. */
export function finishReason(stopReason: unknown, calls: boolean): string {
  const reason = REASONS.get(stopReason) ?? "stop";
  return reason === "tool_calls" && !calls ? "stop" : reason;
}
