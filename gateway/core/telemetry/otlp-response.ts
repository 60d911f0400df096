import { parseJson } from "../../lib/json.ts";
import { isRecord } from "../../lib/records.ts";

/** The signals of OTLP that Postern sends, by the paths that they have below the receiver's address. */
export type SignalPath = "/v1/traces" | "/v1/metrics";

/**
 * The receiver's verdict on an export. `taken`: accepted, except the rejected number. `later`: to be retried.
 * `too_large`: to be retried in smaller messages. `refused`: must not be retried.
 */
export type ExportVerdict =
  | { readonly kind: "taken"; readonly rejected: number; readonly problem: string | null }
  | { readonly kind: "later"; readonly afterMs: number | null; readonly problem: string }
  | { readonly kind: "too_large" | "refused"; readonly problem: string };

/** https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes: these and no others. */
const RETRYABLE = new Set([429, 502, 503, 504]);
const LONGEST_SAID = 200;
const ADVICE: Readonly<Record<number, string>> = {
  401: " Check its headers.",
  403: " Check its headers.",
  404: " Check its address, and whether it takes this signal.",
  405: " Check its address, and whether it takes this signal.",
};

/**
 * Reads a response as OTLP 1.11.0 defines it (https://opentelemetry.io/docs/specs/otlp/#otlphttp-response).
 * @param retryAfter milliseconds
 */
export function exportVerdict(
  signal: SignalPath,
  status: number,
  retryAfter: number | null,
  body: Buffer,
): ExportVerdict {
  const parsed = parseJson(body);
  if (status >= 200 && status < 300) return partial(parsed);
  const message = isRecord(parsed) && typeof parsed["message"] === "string" ? parsed["message"] : "";
  const words = message === "" ? "" : `: ${message.slice(0, LONGEST_SAID)}`;
  const problem = `The receiver responded to ${signal} with status ${status}${words}.${ADVICE[status] ?? ""}`;
  if (RETRYABLE.has(status)) return { kind: "later", afterMs: retryAfter, problem };
  return { kind: status === 413 ? "too_large" : "refused", problem };
}

/** Rejected parts must not be resent. */
function partial(parsed: unknown): ExportVerdict {
  const partialSuccess = isRecord(parsed) ? parsed["partialSuccess"] : undefined;
  if (!isRecord(partialSuccess)) return { kind: "taken", rejected: 0, problem: null };
  const count = Number(partialSuccess["rejectedSpans"] ?? partialSuccess["rejectedDataPoints"] ?? 0);
  const rejected = Number.isSafeInteger(count) && count > 0 ? count : 0;
  const reason =
    typeof partialSuccess["errorMessage"] === "string" ? partialSuccess["errorMessage"].slice(0, LONGEST_SAID) : "";
  if (rejected === 0 && reason === "") return { kind: "taken", rejected, problem: null };
  const what = rejected === 0 ? "The receiver took everything, and says" : `The receiver rejected ${rejected}`;
  return { kind: "taken", rejected, problem: reason === "" ? `${what}.` : `${what}: ${reason}.` };
}
