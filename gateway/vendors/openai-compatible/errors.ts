import type { VendorError, VendorErrorKind } from "../../core/vendor-error.ts";
import { isRecord } from "../../lib/records.ts";
import type { ErrorsAdapter } from "../vendor.ts";

export const errors: ErrorsAdapter = { fromResponse: readError };

const MAX_MESSAGE = 2_000;

/**
 * Reads the envelopes seen in the field (upstreams reference 0.2): OpenAI's `{error:{message,type,param,code}}` with a
 * text, a number or no code; `{error:"…"}`; vLLM's unwrapped `{message,type,code}`; FastAPI's `{detail}`; Gemini's
 * one-element array. Anything else (an HTML page, nothing) is told by its status, never by its bytes.
 */
export function readError(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: unknown,
): VendorError {
  const outer = Array.isArray(body) ? body[0] : body;
  const record = isRecord(outer) ? outer : {};
  const inner = isRecord(record["error"]) ? record["error"] : record;
  const message =
    text(record["error"]) ??
    text(inner["message"]) ??
    text(inner["detail"]) ??
    `The vendor answered with status ${status}.`;
  const code = typeof inner["code"] === "number" ? String(inner["code"]) : text(inner["code"]);
  const type = text(inner["type"]);
  return {
    kind: kindOf(status, code, type, message),
    status,
    message: message.slice(0, MAX_MESSAGE),
    type,
    code,
    param: text(inner["param"]),
    retryAfter: retryAfterOf(headers),
  };
}

/** Codes by which vendors say that the account, not the request, is at fault (upstreams reference A.3). */
const NO_MONEY = new Set([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "insufficient_balance",
  "Arrearage",
  "AllocationQuota.FreeTierOnly",
  "PrepaidBillOverdue",
  "PostpaidBillOverdue",
  "AccountOverdueError",
]);
const BAD_KEY = new Set(["invalid_api_key", "account_deactivated", "InvalidApiKey"]);

function kindOf(status: number, code: string | null, type: string | null, message: string): VendorErrorKind {
  if (status === 508 && code === "loop_detected") return "loop";
  // xAI says in words alone that a team has no credits (upstreams reference 7.4).
  if (status === 402 || (status === 403 && /any credits/i.test(message))) return "no_money";
  if (status === 429) return NO_MONEY.has(code ?? "") || NO_MONEY.has(type ?? "") ? "no_money" : "rate";
  if (NO_MONEY.has(code ?? "")) return "no_money";
  if (status === 401 || status === 403 || status === 407 || BAD_KEY.has(code ?? "")) return "auth";
  // xAI and Gemini refuse a wrong key with a 400 that only their words tell (upstreams reference A.3).
  if (status === 400 && /incorrect api key|api key not valid/i.test(message)) return "auth";
  if (status === 404) return "model_not_found";
  if (status === 408 || status >= 500 || status < 400) return "overload";
  return "bad_request";
}

/** `retry-after-ms`, then `retry-after` in seconds or as an HTTP date; null when there is none that makes sense. */
function retryAfterOf(headers: Readonly<Record<string, string | string[] | undefined>>): number | null {
  const milliseconds = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] !== undefined && Number.isFinite(milliseconds) && milliseconds >= 0)
    return milliseconds / 1_000;
  const value = headers["retry-after"];
  if (typeof value !== "string" || value === "") return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds : null;
  const served = typeof headers["date"] === "string" ? Date.parse(headers["date"]) : Number.NaN;
  const wait = (Date.parse(value) - served) / 1_000;
  return Number.isFinite(wait) && wait >= 0 ? wait : null;
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
