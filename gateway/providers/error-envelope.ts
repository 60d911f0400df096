import type { ProviderError, ProviderErrorKind } from "../core/attempts/provider-error.ts";
import { isRecord } from "../lib/records.ts";
import type { ResponseHeaders } from "../upstream/transfer.ts";

/** What an error answer says, before it is known what that means. */
export type ErrorEnvelope = Omit<ProviderError, "kind">;

const MAX_MESSAGE = 2_000;
const LONGEST_WAIT_S = 86_400;

/**
 * Reads the envelopes seen in the field (docs/providers/README.md#error-envelopes): `{error:{message,type,param,code}}`
 * with a text, a number or no code; `{error:"…"}`, alone or beside a `code` (xAI); unwrapped `{message,type,code}`
 * (vLLM, DashScope); `{detail}` (FastAPI, Voyage); any of them in a one-element array (Gemini). Anything else (an HTML
 * page, nothing) is told by its status, never by its bytes. Never throws.
 */
export function readEnvelope(status: number, headers: ResponseHeaders, body: unknown): ErrorEnvelope {
  const record = errorRecord(body);
  const inner = isRecord(record["error"]) ? record["error"] : record;
  const message =
    text(record["error"]) ??
    text(inner["message"]) ??
    text(inner["detail"]) ??
    `The provider responded with status ${status}.`;
  return {
    status,
    message: message.slice(0, MAX_MESSAGE),
    type: text(inner["type"]),
    code: typeof inner["code"] === "number" ? String(inner["code"]) : text(inner["code"]),
    param: text(inner["param"]),
    retryAfter: retryAfterOf(headers),
  };
}

/** The object that an error answer is, out of its array where it is in one; empty when it is none. */
export function errorRecord(body: unknown): Record<string, unknown> {
  const outer: unknown = Array.isArray(body) ? body[0] : body;
  return isRecord(outer) ? outer : {};
}

/** What a status means where nothing more is said (docs/providers/README.md#retry-classes). */
export function kindByStatus(status: number): ProviderErrorKind {
  if (status === 402) return "no_money";
  if (status === 401 || status === 403 || status === 407) return "auth";
  if (status === 404) return "model_not_found";
  if (status === 429) return "rate";
  // No provider's own status: it is Postern's, whose base URL was given as a provider's.
  if (status === 508) return "loop";
  if (status === 408 || status >= 500 || status < 400) return "overload";
  return "bad_request";
}

/** What a code with dots means: by the whole of it, or by what stands before its first dot. */
export function kindByCode(
  kinds: ReadonlyMap<string, ProviderErrorKind>,
  code: string | null,
): ProviderErrorKind | undefined {
  if (code === null) return undefined;
  return kinds.get(code) ?? kinds.get(code.split(".", 1)[0] ?? "");
}

/**
 * The error, its status put right where it says something else than the error does: an error that comes inside an
 * answer or a stream that said 200 has no status of its own.
 */
export function providerError(envelope: ErrorEnvelope, kind: ProviderErrorKind): ProviderError {
  return { ...envelope, kind, status: statusFor(kind, envelope.status) };
}

function statusFor(kind: ProviderErrorKind, status: number): number {
  const clientError = status >= 400 && status < 500;
  switch (kind) {
    case "bad_request":
      return clientError ? status : 400;
    case "model_not_found":
      return 404;
    case "rate":
      return 429;
    case "overload":
      // Some say 429 for "everybody is too fast": what the caller did is not at fault (Ark,
      // docs/providers/ark.md#errors).
      return status === 429 ? 503 : status;
    default:
      return status;
  }
}

/** `retry-after-ms`, then `retry-after` in seconds or as an HTTP date; null when there is none that makes sense. */
function retryAfterOf(headers: ResponseHeaders): number | null {
  const { "retry-after-ms": milliseconds, "retry-after": value } = headers;
  if (milliseconds !== undefined) {
    const wait = sensible(Number(milliseconds) / 1_000);
    if (wait !== null) return wait;
  }
  if (value === undefined || value === "") return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return sensible(seconds);
  return sensible((Date.parse(value) - Date.parse(headers["date"] ?? "")) / 1_000);
}

/** No provider is away for longer than a day. */
function sensible(seconds: number): number | null {
  return seconds >= 0 ? Math.min(seconds, LONGEST_WAIT_S) : null;
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
