import type { ProviderError } from "../../core/attempts/provider-error.ts";
import { isRecord } from "../../lib/records.ts";

/**
 * Why a response with status 200 holds nothing (docs/providers/gemini.md#native-requests): the prompt was blocked and
 * there are no candidates, or the candidates were ended, or consist of an excuse. In Google's words where it has any.
 */
export function refusalIn(body: unknown): ProviderError | null {
  if (!isRecord(body)) return null;
  const feedback = isRecord(body["promptFeedback"]) ? body["promptFeedback"] : {};
  const blocked = textOf(feedback["blockReason"]);
  if (blocked !== null)
    return refusal(blocked, textOf(feedback["blockReasonMessage"]) ?? `The prompt was blocked: ${blocked}.`);
  const candidate: unknown = Array.isArray(body["candidates"]) ? body["candidates"][0] : undefined;
  const prediction: unknown = Array.isArray(body["predictions"]) ? body["predictions"][0] : undefined;
  if (isRecord(prediction) && textOf(prediction["raiFilteredReason"]) !== null)
    return refusal("IMAGE_SAFETY", String(prediction["raiFilteredReason"]));
  if (!isRecord(candidate)) return null;
  const reason = textOf(candidate["finishReason"]) ?? "OTHER";
  const said = textOf(candidate["finishMessage"]) ?? wordsOf(candidate);
  return refusal(reason, said ?? `The model ended without a result: ${reason}.`);
}

/**
 * Never tried again, and nobody else is asked: what is refused for its content stays refused
 * (docs/providers/README.md#retry-classes).
 */
function refusal(code: string, message: string): ProviderError {
  return { kind: "bad_request", status: 400, message, type: null, code, param: null, retryAfter: null };
}

/** What the model said instead of a response. */
function wordsOf(candidate: Readonly<Record<string, unknown>>): string | null {
  const content = isRecord(candidate["content"]) ? candidate["content"] : {};
  const parts: readonly unknown[] = Array.isArray(content["parts"]) ? content["parts"] : [];
  const words = parts.flatMap((part) =>
    isRecord(part) && part["thought"] !== true ? (textOf(part["text"]) ?? []) : [],
  );
  return textOf(words.join("").trim().slice(0, MAX_WORDS));
}

const MAX_WORDS = 1_000;

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
