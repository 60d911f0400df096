import type { ProviderErrorKind, ProviderError } from "../../core/attempts/provider-error.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { buildErrorRecord, createKindByStatus, readEnvelope, createProviderError } from "../error-envelope.ts";
import type { ErrorsAdapter } from "../provider.ts";

/**
 * Returns why a response with status 200 is empty (docs/providers/gemini.md#native-requests): the prompt was blocked,
 * or the candidates were stopped or are only a refusal text. Uses Google's message if there is one.
 */
function findRefusal(body: unknown): ProviderError | null {
  if (!isRecord(body)) return null;
  const feedback = isRecord(body["promptFeedback"]) ? body["promptFeedback"] : {};
  const blocked = readText(feedback["blockReason"]);
  if (blocked !== null)
    return createRefusal(blocked, readText(feedback["blockReasonMessage"]) ?? `The prompt was blocked: ${blocked}.`);
  const candidate: unknown = Array.isArray(body["candidates"]) ? body["candidates"][0] : undefined;
  const prediction: unknown = Array.isArray(body["predictions"]) ? body["predictions"][0] : undefined;
  if (isRecord(prediction) && readText(prediction["raiFilteredReason"]) !== null)
    return createRefusal("IMAGE_SAFETY", String(prediction["raiFilteredReason"]));
  if (!isRecord(candidate)) return null;
  const reason = readText(candidate["finishReason"]) ?? "OTHER";
  const message = readText(candidate["finishMessage"]) ?? readWords(candidate);
  return createRefusal(reason, message ?? `The model ended without a result: ${reason}.`);
}

/**
 * Not retried and no failover: content that was refused stays refused (docs/providers/README.md#retry-classes).
 */
function createRefusal(code: string, message: string): ProviderError {
  return { kind: "bad_request", status: 400, message, type: null, code, param: null, retryAfter: null };
}

/** Reads the model's text in place of a response. */
function readWords(candidate: Readonly<Record<string, unknown>>): string | null {
  const content = isRecord(candidate["content"]) ? candidate["content"] : {};
  const parts = asList(content["parts"]);
  const words = parts.flatMap((part) =>
    isRecord(part) && part["thought"] !== true ? (readText(part["text"]) ?? []) : [],
  );
  return readText(words.join("").trim().slice(0, MAX_WORDS));
}

const MAX_WORDS = 1_000;

function readText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * Google's `{error:{code,message,status,details}}`, natively and inside the one-element array of the OpenAI
 * compatibility layer (docs/providers/gemini.md#layer-for-openai-clients and docs/providers/gemini.md#errors). `code`
 * repeats the HTTP status; `status` is the specific code. A wrong key is a 400, and the retry delay is in the details,
 * not in a header.
 */
export const errors: ErrorsAdapter = {
  fromResponse: (answered, headers, body) => {
    const envelope = readEnvelope(answered, headers, body);
    const record = buildErrorRecord(body);
    const inner = isRecord(record["error"]) ? record["error"] : {};
    const details = Array.isArray(inner["details"]) ? inner["details"].filter(isRecord) : [];
    const code = typeof inner["status"] === "string" ? inner["status"] : envelope.code;
    return createProviderError(
      { ...envelope, code, retryAfter: envelope.retryAfter ?? retryDelay(details) },
      readKind(answered, code, envelope.message, details),
    );
  },
  inResponse: findRefusal,
};

type Details = readonly Readonly<Record<string, unknown>>[];

function readKind(status: number, code: string | null, message: string, details: Details): ProviderErrorKind {
  if (details.some((detail) => detail["reason"] === "API_KEY_INVALID") || /api key not valid/i.test(message))
    return "auth";
  switch (code) {
    case "INVALID_ARGUMENT":
      return "bad_request";
    case "FAILED_PRECONDITION":
      // A region without service, or a project without billing (docs/providers/gemini.md#errors); a guess from the
      // message.
      return /billing/i.test(message) ? "no_money" : "bad_request";
    case "UNAUTHENTICATED":
    case "PERMISSION_DENIED":
      return "auth";
    case "NOT_FOUND":
      return "model_not_found";
    case "RESOURCE_EXHAUSTED":
      return "rate";
    case "CANCELLED":
    case "INTERNAL":
    case "UNAVAILABLE":
    case "DEADLINE_EXCEEDED":
      return "overload";
    default:
      return createKindByStatus(status);
  }
}

/** `RetryInfo`'s `"34.400956798s"` in seconds. */
function retryDelay(details: Details): number | null {
  for (const { retryDelay: delay } of details) {
    const seconds = typeof delay === "string" ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
    if (seconds !== undefined) return Number(seconds);
  }
  return null;
}
