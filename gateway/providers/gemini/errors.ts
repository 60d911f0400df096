import type { ProviderErrorKind } from "../../core/attempts/provider-error.ts";
import { isRecord } from "../../lib/records.ts";
import { errorRecord, kindByStatus, readEnvelope, providerError } from "../error-envelope.ts";
import type { ErrorsAdapter } from "../provider.ts";
import { refusalIn } from "./refusal.ts";

/**
 * Google's `{error:{code,message,status,details}}`, natively and inside the one-element array of the layer for OpenAI
 * clients (docs/providers/gemini.md#layer-for-openai-clients and docs/providers/gemini.md#errors). `code` is the HTTP
 * status once more; `status` is the code that says something. A wrong key is a 400, and how long to wait is in the
 * details, not in a header.
 */
export const errors: ErrorsAdapter = {
  fromResponse: (answered, headers, body) => {
    const envelope = readEnvelope(answered, headers, body);
    const record = errorRecord(body);
    const inner = isRecord(record["error"]) ? record["error"] : {};
    const details = Array.isArray(inner["details"]) ? inner["details"].filter(isRecord) : [];
    const code = typeof inner["status"] === "string" ? inner["status"] : envelope.code;
    return providerError(
      { ...envelope, code, retryAfter: envelope.retryAfter ?? retryDelay(details) },
      kindOf(answered, code, envelope.message, details),
    );
  },
  inResponse: refusalIn,
};

type Details = readonly Readonly<Record<string, unknown>>[];

function kindOf(status: number, code: string | null, message: string, details: Details): ProviderErrorKind {
  if (details.some((detail) => detail["reason"] === "API_KEY_INVALID") || /api key not valid/i.test(message))
    return "auth";
  switch (code) {
    case "INVALID_ARGUMENT":
      return "bad_request";
    case "FAILED_PRECONDITION":
      // A region without service, or a project without billing (docs/providers/gemini.md#errors); a guess by the words.
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
      return kindByStatus(status);
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
