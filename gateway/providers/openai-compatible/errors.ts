import type { ProviderError, ProviderErrorKind } from "../../core/attempts/provider-error.ts";
import type { ResponseHeaders } from "../../upstream/response-headers.ts";
import { createKindByStatus, readEnvelope, createProviderError } from "../error-envelope.ts";
import type { ErrorEnvelope } from "../error-envelope.ts";
import type { ErrorsAdapter } from "../provider.ts";

export const errors: ErrorsAdapter = { fromResponse: readError };

/** Reads the error of a server that may be any provider's or a relay to any, so all known messages are matched. */
export function readError(status: number, headers: ResponseHeaders, body: unknown): ProviderError {
  const envelope = readEnvelope(status, headers, body);
  return createProviderError(envelope, readKind(envelope));
}

/**
 * Codes that mean a problem of the account rather than the request (docs/providers/README.md#retry-classes).
 */
const NO_MONEY = new Set([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "billing_error",
  "insufficient_balance",
  "Arrearage",
  "AllocationQuota.FreeTierOnly",
  "PrepaidBillOverdue",
  "PostpaidBillOverdue",
  "AccountOverdueError",
]);
const BAD_KEY = new Set(["invalid_api_key", "account_deactivated", "InvalidApiKey"]);

function readKind({ status, code, type, message }: ErrorEnvelope): ProviderErrorKind {
  // xAI reports missing credits only in the message (docs/providers/xai.md#errors).
  if (status === 403 && /any credits/i.test(message)) return "no_money";
  if (NO_MONEY.has(code ?? "")) return "no_money";
  if (status === 429) return NO_MONEY.has(type ?? "") ? "no_money" : "rate";
  if (BAD_KEY.has(code ?? "")) return "auth";
  // xAI and Gemini refuse a wrong key with a 400 that only the message identifies.
  if (status === 400 && /incorrect api key|api key not valid/i.test(message)) return "auth";
  return createKindByStatus(status);
}
