import { isRecord } from "../../lib/records.ts";

/**
 * Google's documented value for a lost signature (docs/providers/gemini.md#layer-for-openai-clients, a guess; in use
 * at gemini-cli and others). Responses are better with the real one, so it is used only if the signature is missing.
 */
const SKIP_VALIDATION = "skip_thought_signature_validator";

/**
 * Gemini 3 and later refuse tool calls in the history without their thought signature from
 * `extra_content.google.thought_signature`. Returned signatures are forwarded unchanged. Many clients drop unknown
 * fields, and calls of other models have none: those get the documented signature that skips its check.
 * @returns undefined if nothing changes.
 */
export function withSignatures(messages: unknown, upstreamModel: string): readonly unknown[] | undefined {
  if (!Array.isArray(messages) || !needsSignatures(upstreamModel) || !messages.some(isUnsigned)) return undefined;
  return messages.map((message: unknown) => (isUnsigned(message) ? addSignatures(message) : message));
}

/** `gemini-3-pro-preview`, `models/gemini-3.5-flash`; not `gemini-2.5-pro`. */
function needsSignatures(model: string): boolean {
  return Number(/(?:^|\/)gemini-(\d+)/.exec(model)?.[1] ?? 0) >= 3;
}

interface CallingMessage extends Record<string, unknown> {
  readonly tool_calls: readonly Record<string, unknown>[];
}

/** Tells whether no call is signed: only the first of parallel calls carries a signature. */
function isUnsigned(message: unknown): message is CallingMessage {
  if (!isRecord(message) || !Array.isArray(message["tool_calls"])) return false;
  const calls: readonly unknown[] = message["tool_calls"];
  return calls.length > 0 && calls.every((call) => isRecord(call) && !isSigned(call));
}

function isSigned(call: Readonly<Record<string, unknown>>): boolean {
  const signature = readGoogle(call)["thought_signature"];
  return typeof signature === "string" && signature !== "";
}

function addSignatures(message: CallingMessage): Record<string, unknown> {
  const calls = message.tool_calls.map((call, index) =>
    index > 0
      ? call
      : {
          ...call,
          extra_content: {
            ...readExtra(call),
            google: { ...readGoogle(call), thought_signature: SKIP_VALIDATION },
          },
        },
  );
  return { ...message, tool_calls: calls };
}

function readExtra(call: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isRecord(call["extra_content"]) ? call["extra_content"] : {};
}

function readGoogle(call: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { google } = readExtra(call);
  return isRecord(google) ? google : {};
}
